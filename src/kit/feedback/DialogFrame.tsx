import Box from '@mui/material/Box'
import Dialog, { type DialogProps } from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId } from 'react'

import { SheetDialog } from './SheetDialog.tsx'
import { PHONE } from '../resource/resourceLayout.ts'

interface Props extends Pick<DialogProps, 'maxWidth'> {
  title: string
  /** One line below the title. */
  lead?: ReactNode
  /** Fixed content between the title and the scrolling part. */
  head?: ReactNode
  children: ReactNode
  actions: ReactNode
  /** Called on Escape, Back and the backdrop. */
  onClose: () => void
  /** A dialog of one or two fields: on a phone, a sheet of their height. */
  isShort?: boolean
  /** Nothing in it takes the focus, so that its scrolling part does. */
  isText?: boolean
  /** Keeps its height while its content loads and changes. */
  isTall?: boolean
}

/** The frame of a dialog with fields or a list; full screen on a phone. */
export function DialogFrame(props: Props) {
  const { title, lead, head, children, actions, maxWidth = 'md', isShort = false, isTall = false } = props
  const { isText = false } = props
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const isFull = phone && !isShort
  const Frame = isShort ? SheetDialog : Dialog
  return (
    <Frame
      open
      onClose={props.onClose}
      fullScreen={isFull}
      maxWidth={isShort ? 'xs' : maxWidth}
      aria-labelledby={titleId}
      slotProps={{
        paper: {
          sx: { ...(isTall && { height: { sm: 'min(760px, 100%)' } }), ...(isFull && { border: 0 }) },
        },
      }}
    >
      <DialogTitle id={titleId} sx={{ px: { xs: 2, sm: 3 }, overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {(lead !== undefined || head !== undefined) && (
        <Box sx={{ flex: 'none', display: 'grid', gap: 1.5, px: { xs: 2, sm: 3 }, pb: 2 }}>
          {lead}
          {head}
        </Box>
      )}
      <DialogContent
        dividers={!isShort}
        {...(isText && { tabIndex: 0 })}
        sx={{ px: { xs: 2, sm: 3 }, ...(isShort && { display: 'grid', gap: 2, alignContent: 'start' }) }}
      >
        {children}
      </DialogContent>
      <DialogActions sx={{ pt: isShort ? 0 : 1.5, flexWrap: 'wrap', rowGap: 1 }}>{actions}</DialogActions>
    </Frame>
  )
}
