import Button from '@mui/material/Button'

import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useText } from '#src/kit/useText.ts'

import { LinkList } from './LinkList.tsx'

/** All links of the organisation for administrators, of everybody else their own. */
export function AllLinksDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  return (
    <DialogFrame
      title={text('fileLinks.title')}
      maxWidth="sm"
      onClose={onClose}
      actions={<Button onClick={onClose}>{text('kit.close')}</Button>}
    >
      <LinkList />
    </DialogFrame>
  )
}
