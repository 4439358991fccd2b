/** True while a drag that began in this page runs. */
let isOwn = false
const endOwn = () => {
  isOwn = false
  for (const type of ENDS) window.removeEventListener(type, endOwn, true)
}
/** No pointer moves during a drag. An element that was removed while dragged sends no `dragend`. */
const ENDS = ['dragend', 'pointermove'] as const
window.addEventListener(
  'dragstart',
  () => {
    isOwn = true
    for (const type of ENDS) window.addEventListener(type, endOwn, true)
  },
  true,
)

/**
 * True if a drag holds files of the device. Browsers also offer a dragged image of the page as a file, which does not count.
 */
export const holdsFiles = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): boolean =>
  !isOwn && (dataTransfer?.types.includes('Files') ?? false)
