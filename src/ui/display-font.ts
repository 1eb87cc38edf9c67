/**
 * Shows headings in the display font, which loads its file. Until it is loaded a system font with the same widths is
 * used.
 */
export function showDisplayFont(): void {
  document.documentElement.dataset.displayFont = ''
}
