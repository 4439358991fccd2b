import { useState } from 'react'

import { headingsOf } from '#contract/kit/csv.ts'
import {
  IMPORT_COLUMNS,
  IMPORT_ROWS_MAX,
  type ImportResult,
  type ImportRow,
} from '#contract/user-import/schema.ts'
import type { Awaited } from '#src/kit/feedback/Awaiting.tsx'
import { useText } from '#src/kit/useText.ts'
import { ImportDialog } from '#src/shared/import-csv/ImportDialog.tsx'

import { Outcome } from './Outcome.tsx'
import { type Allowance, PreviewStep } from './PreviewStep.tsx'
import { readUsersCsv, type UsersFile } from './readUsersCsv.ts'

interface Props {
  /** Calls whose answers a file is checked by. */
  required: readonly Awaited[]
  /** Which names the organisation takes. */
  characters: string
  /** Whether an address belongs to somebody who is a user already. */
  isKnown: (email: string) => boolean
  allowance: Allowance | undefined
  /** Makes the call. */
  send: (rows: ImportRow[]) => Promise<ImportResult>
  onClose: () => void
}

/** Adds users from a file, in two steps: choosing it, and checking what will come of it (administration §2.1). */
export function ImportUsersDialog({ required, characters, isKnown, allowance, send, onClose }: Props) {
  const text = useText()
  const [sends, setSends] = useState(true)
  const knownIn = ({ users }: UsersFile) => users.filter(({ email }) => isKnown(email)).length
  const offer = (file: UsersFile) => {
    const added = file.users.length - knownIn(file)
    if (added === 0) return { label: text('userImport.open') }
    return {
      label: text('userImport.submit', { smart_count: added }),
      working: text('userImport.importing', { smart_count: added }),
    }
  }
  return (
    <ImportDialog
      title={text('userImport.title')}
      required={required}
      rules={text('userImport.rules', { count: IMPORT_ROWS_MAX })}
      template={{ name: text('userImport.templateName'), headings: headingsOf(IMPORT_COLUMNS) }}
      read={(file) => readUsersCsv(file, characters)}
      chosen={({ name, users }) => text('userImport.chosen', { name, smart_count: users.length })}
      renderPreview={(file) => (
        <PreviewStep
          file={file}
          known={knownIn(file)}
          allowance={allowance}
          sends={sends}
          onSends={setSends}
        />
      )}
      submit={offer}
      send={({ rows }) => send(rows.map((row) => ({ ...row, sendWelcomeSetPasswordEmail: sends })))}
      failed={text('kit.wentWrong')}
      renderOutcome={(result) => <Outcome result={result} />}
      onClose={onClose}
    />
  )
}
