import Box from '@mui/material/Box'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import type { FormEvent, ReactNode } from 'react'

/** Layout of a form: in a dialog below its title, or in a page's card below its heading. */
export type FormVariant = 'dialog' | 'page'

interface Props {
  variant: FormVariant
  onSubmit: () => void
  /** Buttons, the main one last. */
  buttons: ReactNode
  /** A button at the start of a dialog's row of buttons. */
  aside?: ReactNode
  children: ReactNode
}

/** A form and its row of buttons. */
export function FormFrame({ variant, onSubmit, buttons, aside, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  if (variant === 'page')
    return (
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5, mt: 3 }}
      >
        {children}
        <ButtonRow>{buttons}</ButtonRow>
      </Box>
    )
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit}
      sx={{ display: 'flex', flexDirection: 'column', flex: '1 1 auto', minHeight: 0 }}
    >
      <DialogContent sx={{ display: 'grid', alignContent: 'start', gap: 2.5, pt: 0 }}>
        {children}
      </DialogContent>
      <DialogActions>
        {aside && (
          <Box component="span" sx={{ marginInlineEnd: 'auto' }}>
            {aside}
          </Box>
        )}
        {buttons}
      </DialogActions>
    </Box>
  )
}

/** Buttons of equal width, large enough for touch. */
export const ButtonRow = ({ children }: { children: ReactNode }) => (
  <Box
    sx={{
      display: 'grid',
      gridAutoFlow: 'column',
      gridAutoColumns: '1fr',
      gap: 1.5,
      '& > .MuiButton-root': { minHeight: 44, fontSize: '1rem' },
    }}
  >
    {children}
  </Box>
)
