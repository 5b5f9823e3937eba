/* `warpglass cc`: an executable from sources, see build.h. */
#include "cli/build.h"
#include "cli/commands.h"
#include "cli/say.h"

int wg_command_cc(const struct wg_cmdline *c) {
    struct wg_job job = {0};
    if (*c->program_args) {
        wg_say("'--' begins the arguments of a program to run, but cc does not run one");
        return 2;
    }
    return wg_build(&job, c, NULL);
}
