import Button from '@mui/material/Button'

import { useText } from '../useText.ts'

interface Props {
  onClick: () => void
  /** True while the dialog's action runs. */
  disabled?: boolean
}

export function CancelButton({ onClick, disabled = false }: Props) {
  const text = useText()
  return (
    <Button color="inherit" onClick={onClick} disabled={disabled}>
      {text('kit.cancel')}
    </Button>
  )
}
