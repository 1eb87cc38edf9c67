/**
 * Runs in the page: does to every text what the translators of browsers do, from now on, but leaves the words as they are. Each text node
 * is replaced by two elements with a new text node.
 */
export function translate(): void {
  const kept = 'script, style, textarea, title, [translate="no"]'
  const done = new WeakSet<Node>()

  function replace(text: Text): void {
    const { data, parentElement } = text
    if (done.has(text) || !parentElement || data.trim() === '' || parentElement.closest(kept)) return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    const copy = document.createTextNode(data)
    done.add(copy)
    inner.append(copy)
    outer.append(inner)
    // A node in an SVG would not be drawn in an element of HTML; translators leave it.
    if (parentElement.namespaceURI === outer.namespaceURI) text.replaceWith(outer)
  }

  function replaceIn(node: Node): void {
    const texts: Text[] = []
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    if (node instanceof Text) texts.push(node)
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
    for (const text of texts) replace(text)
  }

  replaceIn(document)
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes) replaceIn(node)
  }).observe(document, { subtree: true, childList: true, characterData: true })
}
