/** Copies text to the clipboard, also on plain http addresses, where scripts have no `navigator.clipboard`. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const box = document.createElement('textarea')
  box.value = text
  // Inside the open dialog, whose focus trap would otherwise interrupt the copy.
  const place = document.activeElement?.parentElement ?? document.body
  place.append(box)
  box.select()
  const copied = document.execCommand('copy')
  box.remove()
  if (!copied) throw new Error('The browser did not copy.')
}
