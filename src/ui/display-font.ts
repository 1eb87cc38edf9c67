/** Shows headings in the display font, whose file is loaded by that. Until then they have a font of the system with the same widths. */
export function showDisplayFont(): void {
  document.documentElement.dataset.displayFont = ''
}
