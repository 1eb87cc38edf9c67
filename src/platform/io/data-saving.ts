/** Properties of `navigator` that only some browsers have. */
type NavigatorHints = Navigator & { readonly connection?: { readonly saveData?: boolean } }

/** Whether the browser (Save-Data) or the system asks pages to save data; false in browsers that report neither. */
export function wantsLessData(): boolean {
  // The build also renders pages, outside of a browser.
  if (!('matchMedia' in globalThis)) return false
  const { connection }: NavigatorHints = navigator
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches
}
