import Button, { type ButtonProps } from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'

interface Props extends ButtonProps {
  /** Explanation at the limit; undefined below it. */
  full: string | undefined
}

/** An add button that explains when the limit is reached. */
export function CappedButton({ full, ...props }: Props) {
  const button = <Button {...props} disabled={full !== undefined || props.disabled === true} />
  if (full === undefined) return button
  return (
    <Tooltip title={full} describeChild>
      {/* The span takes the focus of the disabled button, so that its tooltip is reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span tabIndex={0}>{button}</span>
    </Tooltip>
  )
}
