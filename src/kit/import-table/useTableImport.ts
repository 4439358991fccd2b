import { useId, useRef, useState } from 'react'

import type { Encoding } from '#contract/kit/encodings.ts'
import { missingFields, type PersonFormat, type PersonRow } from '#contract/kit/person-table.ts'
import { firstSheet } from '#contract/kit/table.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { useText } from '../useText.ts'

import { type Faulty, type Refused, refusedFile, type RowLimits } from './faulty.ts'
import {
  type ColumnMemory,
  keyOf,
  readRows,
  type TableChoice,
  withRemembered,
  withSheet,
} from './tableChoice.ts'
import { readInWorker } from './tableReader.ts'

/** Files of an import, which are checked as `Read`. */
export interface TableImport<Read extends object, Result extends object> {
  readonly format: PersonFormat
  readonly limits: RowLimits
  readonly memory?: ColumnMemory
  /** Checks the people of a file. */
  readonly check: (
    rows: readonly PersonRow[],
    name: string,
  ) => Promise<Read | Refused | Faulty<Read>> | Read | Refused | Faulty<Read>
  readonly send: (read: Read) => Promise<Result>
  /** Message for an error without one of the server's. */
  readonly failed: string
  /** True if the result is shown before the dialog closes. */
  readonly hasOutcome: boolean
  readonly onClose: () => void
}
export type ImportStep = 'choose' | 'assign' | 'preview'

const isFaulty = <Read extends object>(read: object): read is Faulty<Read> => 'rest' in read
const isRefused = (read: object): read is Refused => 'sentences' in read || 'text' in read

/** What a file is read as: people, errors, or nothing yet. */
interface Checked<Read> {
  readonly file?: Read
  readonly refused?: Refused
  readonly faulty?: Faulty<Read>
}

async function readBytes(bytes: Uint8Array, encoding: Encoding | undefined, limits: RowLimits) {
  const table = await readInWorker({ bytes, encoding })
  return 'fault' in table ? { refused: refusedFile(table, limits) } : { table }
}

type Checking<Read extends object> = Pick<TableImport<Read, object>, 'format' | 'limits' | 'memory' | 'check'>
/** Reads and checks the people of a file. */
async function checkChoice<Read extends object>(
  { limits, check }: Checking<Read>,
  choice: TableChoice,
): Promise<Checked<Read>> {
  const rows = readRows(choice, limits)
  if (!Array.isArray(rows)) return { refused: rows }
  const read = await check(rows, choice.name)
  if (isFaulty<Read>(read)) return { faulty: read }
  return isRefused(read) ? { refused: read } : { file: read }
}

/** Suggests or recalls the columns of a file, and checks its people where the columns are certain. */
async function beginChoice<Read extends object>(
  props: Checking<Read>,
  part: Pick<TableChoice, 'name' | 'bytes' | 'table'>,
) {
  const { choice: first, isCertain } = withSheet(part, firstSheet(part.table), props.format)
  const remembered = await props.memory?.recall(keyOf(first)).catch(() => null)
  const recalled = withRemembered(first, remembered ?? null)
  const choice = recalled ?? first
  const isNothing = Object.keys(choice.assignment.columns).length === 0
  const isClear =
    isCertain || (recalled !== null && missingFields(props.format, choice.assignment).length === 0)
  return {
    choice,
    isNothing,
    assigns: !isClear && !isNothing,
    checked: isClear ? await checkChoice(props, choice) : {},
  }
}

/** Runs work on a file; later work makes it void. */
function useLatestWork(onFailure: () => void) {
  const latest = useRef<object>(null)
  const [busy, setBusy] = useState(false)
  const whileLatest = async (work: (isLatest: () => boolean) => Promise<void>) => {
    const own = {}
    latest.current = own
    const isLatest = () => latest.current === own
    setBusy(true)
    try {
      await work(isLatest)
    } catch {
      if (isLatest()) onFailure()
    } finally {
      if (isLatest()) setBusy(false)
    }
  }
  return { busy, setBusy, whileLatest }
}

/** The chosen file, its columns, and what it is read as. */
function useTableFile<Read extends object>(props: Checking<Read>) {
  const { format, limits, memory } = props
  const text = useText()
  const [choice, setChoice] = useState<TableChoice>()
  /** True if a person has to assign the columns, or wants to. */
  const [assigns, setAssigns] = useState(false)
  const [checked, setChecked] = useState<Checked<Read>>({})
  const [name, setName] = useState('')
  const { busy, setBusy, whileLatest } = useLatestWork(() =>
    setChecked({ refused: { text: 'tableImport.notRead' } }),
  )
  const setRefused = (refused?: Refused) =>
    setChecked(({ file, faulty }) => ({
      ...(file && { file }),
      ...(faulty && { faulty }),
      ...(refused && { refused }),
    }))
  const headingsMissing = (chosen: TableChoice): Refused => ({
    text: 'tableImport.headings',
    missing: missingFields(format, chosen.assignment).map((field) => text(`tableImport.fields.${field}`)),
  })
  /** Reads a file; `onRead` learns the step that it allows. */
  const choose = (picked: File, onRead: (step: ImportStep) => void) =>
    whileLatest(async (isLatest) => {
      setName(picked.name)
      setChoice(undefined)
      setChecked({})
      setAssigns(false)
      const bytes = new Uint8Array(await picked.arrayBuffer())
      const { table, refused } = await readBytes(bytes, undefined, limits)
      if (!isLatest()) return
      if (!table) return setChecked({ refused })
      const begun = await beginChoice(props, { name: picked.name, bytes, table })
      if (!isLatest()) return
      setChoice(begun.choice)
      setAssigns(begun.assigns)
      setChecked(begun.isNothing ? { refused: headingsMissing(begun.choice) } : begun.checked)
      onRead(begun.assigns ? 'assign' : 'file' in begun.checked ? 'preview' : 'choose')
    })
  /** Reads the chosen file in another way. */
  const change = (chosen: TableChoice) => {
    setChoice(chosen)
    setChecked({})
  }
  const changeEncoding = (encoding: Encoding) =>
    choice &&
    whileLatest(async (isLatest) => {
      const { table, refused } = await readBytes(choice.bytes, encoding, limits)
      if (!isLatest()) return
      if (table) change({ ...choice, table })
      else setChecked({ refused })
    })
  /** Checks the people of the assigned columns, which are remembered. */
  const assign = async (chosen: TableChoice, onRead: () => void) => {
    if (missingFields(format, chosen.assignment).length > 0) return setRefused(headingsMissing(chosen))
    await whileLatest(async (isLatest) => {
      const read = await checkChoice(props, chosen)
      if (!isLatest()) return
      setChecked(read)
      if (read.refused) return
      void memory?.keep(keyOf(chosen), chosen.assignment.columns).catch(() => {})
      if (read.file) onRead()
    })
  }
  return {
    ...checked,
    choice,
    assigns,
    name,
    busy,
    setAssigns,
    setChecked,
    setRefused,
    setBusy,
    choose,
    change,
    changeEncoding,
    assign,
  }
}

/** File, columns, step and actions of an import. */
export function useTableImport<Read extends object, Result extends object>(props: TableImport<Read, Result>) {
  const table = useTableFile(props)
  const { choice, assigns, file, faulty, refused, name, busy, setRefused } = table
  /** True if Continue was pressed while the file was read. */
  const goesOn = useRef(false)
  const problemId = useId()
  const [step, setStep] = useState<ImportStep>('choose')
  const [result, setResult] = useState<Result>()
  const choose = (picked: File) => {
    goesOn.current = false
    return table.choose(picked, (next) => goesOn.current && setStep(next))
  }
  const goOn = () => {
    if (step === 'assign' && choice) void table.assign(choice, () => setStep('preview'))
    else if (assigns) setStep('assign')
    else if (file) setStep('preview')
    else if (busy) goesOn.current = true
    else if (!faulty) setRefused(refused ?? { text: 'tableImport.noFile' })
  }
  /** Continues with the valid rows. */
  const goOnWithout = () => {
    table.setChecked({ ...(faulty?.rest && { file: faulty.rest }), ...(faulty && { faulty }) })
    setStep('preview')
  }
  const goBack = () => {
    if (faulty) table.setChecked({ faulty })
    else setRefused()
    setStep(step === 'preview' && assigns ? 'assign' : 'choose')
  }
  /** Leads from the preview to the columns. */
  const reassign = () => {
    table.setAssigns(true)
    setRefused()
    setStep('assign')
  }
  const submit = async (read: Read) => {
    table.setBusy(true)
    setRefused()
    try {
      const done = await props.send(read)
      if (props.hasOutcome) setResult(done)
      else props.onClose()
    } catch (error) {
      const fields = new Set(error instanceof HttpProblem ? Object.values(error.body.fields ?? {}) : [])
      setRefused({ sentences: fields.size > 0 ? [...fields] : [messageOf(error, props.failed)] })
    } finally {
      table.setBusy(false)
    }
  }
  return {
    step,
    choice,
    assigns,
    file,
    name,
    refused,
    faulty,
    hasChosen: name !== '',
    // The errors above the button explain why it is disabled.
    isBlocked: faulty !== undefined || (name !== '' && refused !== undefined && step === 'choose'),
    problemId,
    busy,
    result,
    choose,
    change: table.change,
    changeEncoding: table.changeEncoding,
    goOn,
    goOnWithout,
    goBack,
    reassign,
    submit,
  }
}
