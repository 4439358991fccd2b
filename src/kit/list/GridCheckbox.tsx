import type { GridSlotProps } from '@mui/x-data-grid'
import { useEffect, useRef } from 'react'

/**
 * The checkbox of a row: the browser's own, because a screen holds dozens of them. It keeps its look in forced colours.
 * The label around it is what a pointer has to hit.
 */
export function GridCheckbox(props: GridSlotProps['baseCheckbox']) {
  const { checked = false, disabled = false, indeterminate = false, slotProps, tabIndex } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current!.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <label className="row-checkbox">
      <input
        {...slotProps?.htmlInput}
        ref={input}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        tabIndex={tabIndex}
        onChange={props.onChange}
        onKeyDown={props.onKeyDown}
      />
    </label>
  )
}
