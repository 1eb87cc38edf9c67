/** Shows headings in the display font, which loads its file; until then, in a system font with the same widths. */
export function showDisplayFont(): void {
  document.documentElement.dataset.displayFont = ''
}
