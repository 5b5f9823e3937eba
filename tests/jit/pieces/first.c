/* One half of what load_test.c loads: it calls the other one, and a function of the process that is far away,
 * and has their addresses. */
int wgp_second(int x);
int wgp_helper(int x);

int (*wgp_address(void))(int) { return wgp_helper; }
int (*const wgp_table[])(int) = {wgp_second, wgp_helper};

int wgp_first(int x) { return wgp_helper(wgp_second(x) + 1) + 1; }
