import { type ComponentProps, type ReactNode, type Ref, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'id' | 'ref'> {
  label: string
  problem?: string | undefined
  inputRef?: Ref<HTMLInputElement>
  /** A button inside the field, at its end. */
  side?: ReactNode
}

/** A text field of the pages that live without the theme, with its label above and its problem below. */
export function PlainField({ label, problem, inputRef, side, ...input }: Props) {
  const id = useId()
  const problemId = `${id}-problem`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-box" data-invalid={problem !== undefined}>
        <input
          {...input}
          id={id}
          ref={inputRef}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
        />
        {side}
      </div>
      {problem !== undefined && (
        <p className="field-problem" id={problemId}>
          {problem}
        </p>
      )}
    </div>
  )
}
