/* The costs of a batch of accesses: narrow.h's function, for the vectors of the file that includes this one. Each of 32
 * vectors has one number of each access. They are sorted by a network of least and greatest, which needs no shuffles here,
 * and then the numbers of an access come in order from vector to vector: what is alike follows each other.
 *
 *            access 0   access 1 ..
 *     x[0]   3          40
 *     x[1]   3          41           access 0: the same word again, so a lane has to wait
 *     x[2]   9          OFF          access 1: lanes that are off come last
 *
 * That file has: vector, and the number of accesses in one: ACCESSES; load_accesses, STORE, ALL, ADD, LESS, LEAST, GREATEST;
 * SAME and SAME_BUT (all but the lower bits), whose results are for ONE_LESS_IF, NEXT_IF (one more, or else 1) and KEEP_IF.
 */
#define MEET(a, b)                                                                                           \
    do {                                                                                                     \
        vector least_ = LEAST(a, b);                                                                         \
        b = GREATEST(a, b);                                                                                  \
        a = least_;                                                                                          \
    } while (0)

/* One step of Batcher's merge of n numbers: those k apart meet, from number k on. */
INLINE void meet_apart(vector *x, int n, int k) {
#pragma GCC unroll 16
    for (int m = 0; m < n / 2 - k; m++) {
        int at = k + m / k * 2 * k + m % k;
        MEET(x[at], x[at + k]);
    }
}

/* n numbers, both halves of which are in order. */
INLINE void merge(vector *x, int n) {
#pragma GCC unroll 16
    for (int i = 0; i < n / 2; i++) MEET(x[i], x[i + n / 2]);
    if (n > 16) meet_apart(x, n, 8);
    if (n > 8) meet_apart(x, n, 4);
    if (n > 4) meet_apart(x, n, 2);
    if (n > 2) meet_apart(x, n, 1);
}

INLINE void sort(vector x[32]) {
#pragma GCC unroll 16
    for (int i = 0; i < 32; i += 2) merge(x + i, 2);
#pragma GCC unroll 8
    for (int i = 0; i < 32; i += 4) merge(x + i, 4);
#pragma GCC unroll 4
    for (int i = 0; i < 32; i += 8) merge(x + i, 8);
    merge(x, 16);
    merge(x + 16, 16);
    merge(x, 32);
}

/* How many groups of 2^shift numbers there are. */
INLINE vector groups(const vector x[32], int shift) {
    vector n = ALL(32);
#pragma GCC unroll 32
    for (int i = 1; i < 32; i++) n = ONE_LESS_IF(n, SAME_BUT(x[i], x[i - 1], shift));
    return n;
}

/* In round k those words are accessed that k lanes or more want: a sector is in as many rounds as its most wanted word. */
INLINE vector turns(const vector x[32], int sector_shift) {
    vector wanted = ALL(1), most = ALL(1), all = ALL(1);
#pragma GCC unroll 32
    for (int i = 1; i < 32; i++) {
        most = KEEP_IF(most, SAME_BUT(x[i], x[i - 1], sector_shift));
        wanted = NEXT_IF(wanted, SAME(x[i], x[i - 1]));
        vector more = GREATEST(most, wanted);
        all = ADD(all, LESS(more, most));
        most = more;
    }
    return all;
}

/* The most numbers in a bank: each one once. */
INLINE vector most_rows(const vector x[32], int bank_shift) {
    vector n = ALL(1), most = ALL(1);
#pragma GCC unroll 32
    for (int i = 1; i < 32; i++) {
        n = ONE_LESS_IF(NEXT_IF(n, SAME_BUT(x[i], x[i - 1], bank_shift)), SAME(x[i], x[i - 1]));
        most = GREATEST(most, n);
    }
    return most;
}

/* How often the most frequent number is there. */
INLINE vector most_alike(const vector x[32]) {
    vector n = ALL(1), most = ALL(1);
#pragma GCC unroll 32
    for (int i = 1; i < 32; i++) {
        n = NEXT_IF(n, SAME(x[i], x[i - 1]));
        most = GREATEST(most, n);
    }
    return most;
}

/* Of ACCESSES accesses from `first` on. In a batch of words, lanes that are off are a word, a sector and a line of their own. */
INLINE void costs_from(const struct wg_batch *b, int first, enum wg_numbers kind, struct wg_batch_costs *c) {
    enum { SECTOR_WORDS_SHIFT = 3, LINE_WORDS_SHIFT = 5, LINE_SECTORS_SHIFT = 2 /* of local memory, too */ };
    vector x[32], off = LOAD(b->off + first), any = LEAST(off, ALL(1)), sectors;
    load_accesses(b, first, x);
    sort(x);
    switch (kind) {
    case WG_NUMBERS_WORDS:
        STORE(c->sectors + first, LESS(groups(x, SECTOR_WORDS_SHIFT), any));
        STORE(c->lines + first, LESS(groups(x, LINE_WORDS_SHIFT), any));
        STORE(c->turns + first, LESS(turns(x, SECTOR_WORDS_SHIFT), off));
        break;
    case WG_NUMBERS_ROWS: STORE(c->wavefronts + first, most_rows(x, ROW_BITS)); break;
    case WG_NUMBERS_BANKS: STORE(c->wavefronts + first, most_alike(x)); break;
    default:
        sectors = groups(x, 0);
        STORE(c->sectors + first, sectors);
        STORE(c->turns + first, sectors);
        STORE(c->lines + first, groups(x, LINE_SECTORS_SHIFT));
    }
}

VECTOR static void costs(const struct wg_batch *b, enum wg_numbers kind, struct wg_batch_costs *c) {
    for (int first = 0; first < WG_BATCH; first += ACCESSES) costs_from(b, first, kind, c);
}
