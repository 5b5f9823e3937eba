/* `warpglass cc`: an executable from sources, see compile.h. */
#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/layout.h"
#include "cli/say.h"

int wg_command_cc(const struct wg_cmdline *c) {
    struct wg_job job = {0};
    if (*c->program_args) {
        wg_say("'--' begins the arguments of a program to run, but cc does not run one");
        return 2;
    }
    const char *scratch = wg_layout_scratch();
    if (!scratch) return 1;
    int status = wg_job_plan(&job, c, scratch);
    if (!status && !wg_toolchain_find(&job.tools, job.tools.compiler)) status = 1;
    if (!status) status = wg_compile(&job, scratch, wg_job_program_name(&job), NULL);
    wg_job_free(&job);
    return status;
}
