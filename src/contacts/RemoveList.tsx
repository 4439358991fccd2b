import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'ra-core'

import { contactsApi } from '#contract/contacts/api.ts'
import { call } from '#providers/api.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { CONTACTS } from './queries.ts'

interface Props {
  /** Of the list. */
  name: string
  onRemoved: () => void
  onClose: () => void
}

/** Asks before a contact list is removed, and says what goes with it. */
export function RemoveList({ name, onRemoved, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const queryClient = useQueryClient()
  const remove = async () => {
    await call(contactsApi.removeList, { params: { name } })
    notify(text('contacts.listRemoved', { name }), { type: 'success' })
    onRemoved()
    void queryClient.invalidateQueries({ queryKey: [CONTACTS] })
  }
  return (
    <ConfirmDialog
      open
      title={text('contacts.removeListTitle')}
      text={text('contacts.removeListText', { name })}
      submitLabel={text('contacts.removeList')}
      destructive
      onSubmit={remove}
      onClose={onClose}
    />
  )
}
