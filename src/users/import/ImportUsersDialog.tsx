import { type ReactNode, useState } from 'react'

import { headingsOf } from '#contract/kit/csv.ts'
import {
  IMPORT_COLUMNS,
  IMPORT_ROWS_MAX,
  type ImportResult,
  type ImportRow,
} from '#contract/user-import/schema.ts'
import type { Awaited } from '#src/kit/feedback/Awaiting.tsx'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'
import { ImportDialog } from '#src/kit/import-table/ImportDialog.tsx'
import { type PersonRow, USER_FORMAT } from '#contract/kit/person-table.ts'
import type { Faulty, Refused } from '#src/kit/import-table/faulty.ts'
import type { ColumnMemory } from '#src/kit/import-table/tableChoice.ts'
import { usePhoneRule } from '#src/kit/import-table/usePhoneRule.ts'

import { isNameRefused } from '#contract/user-import/rules.ts'

import { NameHint } from '../NameHint.tsx'
import { HeldWords } from './HeldWords.tsx'
import { Outcome } from './Outcome.tsx'
import { type Allowance, PreviewStep } from './PreviewStep.tsx'
import {
  type Decisions,
  decide,
  readUsers,
  USERS_LIMITS,
  type UserRules,
  type UsersFile,
} from './readUsers.ts'

/** A file with the number of its users that exist already. */
type CheckedFile = UsersFile & { readonly known: number }

interface Props {
  /** Queries needed to validate a file. */
  required: readonly Awaited[]
  rules: UserRules
  /** Page on which other characters in names are allowed. */
  settings: string
  /** Returns those addresses that belong to existing users. */
  findKnown: (emails: string[]) => Promise<readonly string[]>
  allowance: Allowance | undefined
  send: (rows: ImportRow[], fileName: string) => Promise<ImportResult>
  /** Rendered below the result, with the id of the report. */
  renderDone?: (importId: string) => ReactNode
  /** Columns assigned before; the console remembers none. */
  memory?: ColumnMemory
  onClose: () => void
}

/** Imports users from a file in two steps: choice and review (administration §2.1). */
export function ImportUsersDialog(props: Props) {
  const { required, rules, settings, findKnown, allowance, memory, send, renderDone, onClose } = props
  const text = useText()
  const [sends, setSends] = useState(true)
  const [decisions, setDecisions] = useState<Decisions>({})
  const checked = async (found: UsersFile): Promise<CheckedFile> => {
    const known = new Set(await findKnown(found.users.map(({ email }) => email)))
    return { ...found, known: found.users.filter(({ email }) => known.has(email)).length }
  }
  const phoneRule = usePhoneRule(rules.phoneCountry)
  const check = async (
    people: readonly PersonRow[],
    name: string,
  ): Promise<CheckedFile | Refused | Faulty<CheckedFile>> => {
    const found = await readUsers(people, name, rules)
    setDecisions({})
    try {
      if ('users' in found) return await checked(found)
      return { ...found, rest: found.rest && (await checked(found.rest)) }
    } catch (error) {
      return { sentences: [messageOf(error, text('kit.wentWrong'))] }
    }
  }
  const offer = (file: CheckedFile) => {
    const added = file.users.length - file.known
    if (added === 0) return { label: text('userImport.open') }
    const label = text('userImport.submit', { smart_count: added })
    if (decide(file, decisions).held.length > 0) return { label }
    return {
      label,
      working: text('userImport.importing', { smart_count: added }),
    }
  }
  return (
    <ImportDialog
      title={text('userImport.title')}
      required={required}
      rules={text('userImport.rules', { count: IMPORT_ROWS_MAX, phoneRule })}
      template={{ name: text('userImport.templateName'), headings: headingsOf(IMPORT_COLUMNS) }}
      format={USER_FORMAT}
      limits={USERS_LIMITS}
      {...(memory && { memory })}
      check={check}
      chosen={({ name, users }) => text('userImport.chosen', { name, smart_count: users.length })}
      renderPreview={(file) => (
        <>
          <HeldWords held={file.held} decisions={decisions} onDecide={setDecisions} />
          <PreviewStep
            file={decide(file, decisions)}
            known={file.known}
            allowance={allowance}
            sends={sends}
            onSends={setSends}
          />
        </>
      )}
      submit={offer}
      send={async (file) => {
        const rows = decide(file, decisions).rows
        const result = await send(
          rows.map((row) => ({ ...row, sendWelcomeSetPasswordEmail: sends })),
          file.name,
        )
        return { ...result, warnings: file.warnings }
      }}
      failed={text('kit.wentWrong')}
      renderHelp={(sentences) => sentences.some(isNameRefused) && <NameHint settings={settings} />}
      renderOutcome={(result) => (
        <>
          <Outcome result={result} />
          {renderDone?.(result.importId)}
        </>
      )}
      onClose={onClose}
    />
  )
}
