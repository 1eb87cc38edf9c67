/** Properties that only some browsers have. */
type NavigatorHints = Navigator & { readonly connection?: { readonly saveData?: boolean } }

/** Whether the browser (Save-Data) or the system asks pages for little data; false in browsers that report neither. */
export function wantsLessData(): boolean {
  // Pages are also rendered by the build, outside a browser.
  if (!('matchMedia' in globalThis)) return false
  const { connection }: NavigatorHints = navigator
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches
}
