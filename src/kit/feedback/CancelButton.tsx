import Button from '@mui/material/Button'

import { useText } from '../useText.ts'

interface Props {
  onClick: () => void
  /** While what the dialog asked for is under way. */
  disabled?: boolean
}

/** Leaves a dialog without doing what it asks. */
export function CancelButton({ onClick, disabled = false }: Props) {
  const text = useText()
  return (
    <Button color="inherit" onClick={onClick} disabled={disabled}>
      {text('kit.cancel')}
    </Button>
  )
}
