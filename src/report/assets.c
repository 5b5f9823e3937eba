/* Embeds html/style.css and the scripts next to it: see assets.h. */
#include "report/assets.h"

#define ASSET(name, file)                                                                                    \
    __asm__(".section .rodata\n.global " #name "\n.hidden " #name "\n.type " #name ", @object\n" #name       \
            ":\n.incbin \"" file "\"\n.byte 0\n.previous\n")
ASSET(wg_asset_style, WG_ASSETS "/style.css");
ASSET(wg_asset_script, WG_ASSETS "/script.js");
ASSET(wg_asset_pictures, WG_ASSETS "/pictures.js");
ASSET(wg_asset_roofline, WG_ASSETS "/roofline.js");
ASSET(wg_asset_chart, WG_ASSETS "/chart.js");
