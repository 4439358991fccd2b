import Alert from '@mui/material/Alert'
import { useLocaleState } from 'react-admin'
import { useEffect, useState } from 'react'

import { newUuid } from '#providers/uuid.ts'
import { clockTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { sayDoneEditing, useOtherEditors } from '../queries.ts'

/** Reports that this editor is open, and names other people who edit the playbook. */
export function OtherEditors({ id }: { id: string }) {
  const text = useText()
  const [locale] = useLocaleState()
  const [editorId] = useState(newUuid)
  const { data: editors = [] } = useOtherEditors(id, editorId)
  useEffect(() => () => sayDoneEditing(id, editorId), [id, editorId])
  return editors.map(({ email, name, sinceTimestamp }) => (
    <Alert key={`${email} ${sinceTimestamp}`} severity="warning" role="status">
      {text('playbooks.alsoEditing', { name, time: clockTime(locale, Date.parse(sinceTimestamp)) })}
    </Alert>
  ))
}
