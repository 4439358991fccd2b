import { contactsApi } from '#contract/contacts/api.ts'
import { call } from '#providers/api.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { useText } from '#src/kit/useText.ts'

import { useRefreshContacts } from './queries.ts'

interface Props {
  name: string
  onRemoved: () => void
  onClose: () => void
}

/** Confirms removing a contact list, and names the consequences. */
export function RemoveList({ name, onRemoved, onClose }: Props) {
  const text = useText()
  const notifyUndoable = useUndoable()
  const refresh = useRefreshContacts()
  const remove = async () => {
    await call(contactsApi.removeList, { params: { name } })
    const restore = () => call(contactsApi.restoreList, { params: { name } }).finally(refresh)
    notifyUndoable(text('contacts.listRemoved', { name }), restore)
    onRemoved()
    refresh()
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
