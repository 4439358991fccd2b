import Button, { type ButtonProps } from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'

interface Props extends ButtonProps {
  /** Why nothing can be added; undefined below the limit. */
  full: string | undefined
}

/** An add button that explains when the limit is reached. */
export function CappedButton({ full, ...props }: Props) {
  const button = <Button {...props} disabled={full !== undefined || props.disabled === true} />
  if (full === undefined) return button
  return (
    <Tooltip title={full} describeChild>
      {/* Reached by the keyboard, so that it can say why. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span tabIndex={0}>{button}</span>
    </Tooltip>
  )
}
