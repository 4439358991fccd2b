import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { CoreAdminContext } from 'react-admin'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'

import { i18nProvider } from '#providers/i18nProvider.ts'

import { MomentField } from './MomentField.tsx'

function Form({ onValue, ...props }: { onValue: (value: string) => void; isDay?: boolean; first?: string }) {
  const [value, setValue] = useState(props.first ?? '')
  return (
    <CoreAdminContext i18nProvider={i18nProvider}>
      <MomentField
        label="Due"
        isDay={props.isDay ?? false}
        value={value}
        onChange={(next) => {
          setValue(next)
          onValue(next)
        }}
      />
      <button onClick={() => setValue('2030-01-02T03:04')}>Reset</button>
    </CoreAdminContext>
  )
}
function shown(props: { isDay?: boolean; first?: string } = {}) {
  const onValue = vi.fn()
  render(<Form onValue={onValue} {...props} />)
  return { onValue, field: screen.getByRole('textbox', { name: 'Due' }), user: userEvent.setup() }
}

test('reads a pasted date and time, says in words how, and then shows it as the product does', async () => {
  const { onValue, field, user } = shown()
  await user.click(field)
  await user.paste('28.11.2026 14:05')
  expect(onValue).toHaveBeenLastCalledWith('2026-11-28T14:05')
  expect(field).toHaveValue('28.11.2026 14:05')
  expect(field).toHaveAccessibleDescription(/^Saturday, .*November.* 2026 at /)
  await user.tab()
  expect(field).toHaveValue('Nov 28, 2026, 02:05 PM')
  expect(field).toHaveAccessibleDescription('')
})

test('keeps a text that it does not read, with a sentence once the field is left', async () => {
  const { onValue, field, user } = shown({ isDay: true })
  await user.type(field, 'next year')
  expect(field).toBeValid()
  await user.tab()
  expect(field).toHaveValue('next year')
  expect(onValue).toHaveBeenLastCalledWith('next year')
  expect(field).toBeInvalid()
  expect(field).toHaveAccessibleDescription('Please write a date, such as Nov 28, 2026.')
  await user.clear(field)
  await user.type(field, '28 Nov 2026')
  await user.tab()
  expect(field).toBeValid()
  expect(onValue).toHaveBeenLastCalledWith('2026-11-28')
})

test('follows a value that is set from elsewhere, and can be emptied', async () => {
  const { onValue, field, user } = shown({ first: '2026-11-28T14:05' })
  expect(field).toHaveValue('Nov 28, 2026, 02:05 PM')
  await user.click(screen.getByText('Reset'))
  expect(field).toHaveValue('Jan 2, 2030, 03:04 AM')
  await user.clear(field)
  expect(onValue).toHaveBeenLastCalledWith('')
  expect(field).toHaveValue('')
})
