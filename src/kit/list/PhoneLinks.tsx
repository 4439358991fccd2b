import { Fragment } from 'react'

import { telOf, useReadablePhone, type WrittenPhone } from '../phones.ts'
import { useText } from '../useText.ts'

const hasNumber = (phone: WrittenPhone): phone is readonly [string, string | null] => Boolean(phone[0])

/** The numbers of a person in a list, each to be called, the one dialled first at first. Plain elements, as in `Cell`. */
export function PhoneLinks({ phones }: { phones: readonly WrittenPhone[] }) {
  const text = useText()
  const readablePhone = useReadablePhone()
  const numbers = phones.filter(hasNumber)
  if (numbers.length === 0) return <span className="cell-nothing">{text('grid.nothing')}</span>
  return (
    <span className="cell-text">
      {numbers.map(([number, extension], at) => (
        <Fragment key={number}>
          {at > 0 && ' / '}
          {number.startsWith('+') ? (
            // A click on the row does something else.
            <a
              className="phone-link"
              dir="ltr"
              href={telOf(number, extension)}
              onClick={(event) => event.stopPropagation()}
            >
              {readablePhone(number, extension)}
            </a>
          ) : (
            <bdi>{readablePhone(number, extension)}</bdi>
          )}
        </Fragment>
      ))}
    </span>
  )
}
