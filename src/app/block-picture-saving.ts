const editable = 'input, textarea, select, [contenteditable]'

function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(editable) !== null
}

/**
 * Blocks the context menu and the dragging of pictures, so that faces are not saved casually. Text fields keep their
 * menu for pasting and spelling. Returns a function that removes the block.
 */
export function blockPictureSaving(page: Document): () => void {
  function onContextMenu(event: Event): void {
    if (!isEditable(event.target)) event.preventDefault()
  }
  function onDragStart(event: Event): void {
    if (event.target instanceof Element && event.target.closest('img, svg, video, picture')) event.preventDefault()
  }
  page.addEventListener('contextmenu', onContextMenu)
  page.addEventListener('dragstart', onDragStart)
  return () => {
    page.removeEventListener('contextmenu', onContextMenu)
    page.removeEventListener('dragstart', onDragStart)
  }
}
