/* The page's style sheet and scripts, embedded from html/. */
#ifndef WG_REPORT_ASSETS_H
#define WG_REPORT_ASSETS_H
extern const char wg_asset_style[], wg_asset_script[], wg_asset_pictures[], wg_asset_roofline[],
    wg_asset_chart[]; /* end with a zero byte */
#endif
