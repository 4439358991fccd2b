/** Whether the drag under way began in this page. */
let isOwn = false
const endOwn = () => {
  isOwn = false
  for (const type of ENDS) window.removeEventListener(type, endOwn, true)
}
/** No pointer moves during a drag. An element that was removed while it was dragged sends no `dragend`. */
const ENDS = ['dragend', 'pointermove'] as const
window.addEventListener(
  'dragstart',
  () => {
    isOwn = true
    for (const type of ENDS) window.addEventListener(type, endOwn, true)
  },
  true,
)

/** Whether a drag holds files of the device. Browsers offer a dragged image of the page as a file, too; that is none. */
export const holdsFiles = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): boolean =>
  !isOwn && (dataTransfer?.types.includes('Files') ?? false)
