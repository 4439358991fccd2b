import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'

import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import { playbookImportsApi } from '#contract/playbook-imports/api.ts'
import { excessOf, type ImportLimits } from '#contract/playbook-imports/rules.ts'
import type { ImportColumn, ImportedPlaybook, ImportFile } from '#contract/playbook-imports/schema.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { readSources } from './fileValues.ts'
import {
  bodyOf,
  categoryNamed,
  type CreatedPlaybook,
  failureOf,
  type ImportEntry,
  NEW_CATEGORY,
  newCategoryOf,
  type RefusedFile,
  type TableEntry,
} from './importValues.ts'
import { useUndo } from './useUndo.tsx'

/** Statuses after which other playbooks would fail as well: no connection, session, permission or capacity. */
const STOPPING = new Set([0, 401, 403])

type Source = File | { readonly name: string; readonly content: string }
interface Named {
  readonly id: string
  readonly name: string
}

/** The parsed playbooks. As many are selected as there is room for. */
function useEntries(categories: readonly Named[], room: number) {
  const [entries, setEntries] = useState<readonly ImportEntry[]>([])
  const count = useRef(0)
  const latest = useLatest({ categories, room })
  const take = (source: string, playbooks: readonly ImportedPlaybook[]) => {
    const added = playbooks.map((playbook): ImportEntry => ({
      key: String(++count.current),
      source,
      playbook,
      categoryId: categoryNamed(latest.current.categories, playbook.categoryName)?.id ?? null,
      isChosen: true,
      created: null,
      failure: null,
    }))
    setEntries((before) => {
      const chosen = before.filter(({ isChosen, created }) => isChosen && created === null).length
      const free = latest.current.room - chosen
      return [...before, ...added.map((one, index) => ({ ...one, isChosen: index < free }))]
    })
  }
  const change = useCallback(
    (key: string, patch: Partial<ImportEntry>) =>
      setEntries((before) => before.map((one) => (one.key === key ? { ...one, ...patch } : one))),
    [],
  )
  /** Replaces a playbook by its parts. */
  const replace = useCallback(
    (key: string, parts: readonly ImportedPlaybook[]) =>
      setEntries((before) =>
        before.flatMap((one) =>
          one.key === key
            ? parts.map((playbook, index) => ({
                ...one,
                key: parts.length > 1 ? `${key}.${index}` : key,
                playbook,
              }))
            : [one],
        ),
      ),
    [],
  )
  /** Marks playbooks that were deleted again as not created. */
  const forget = (ids: readonly string[]) =>
    setEntries((before) =>
      before.map((one) =>
        one.created && ids.includes(one.created.id) ? { ...one, created: null, isChosen: false } : one,
      ),
    )
  return { entries, take, change, replace, forget }
}

/** Reads files: their playbooks, tables whose columns are to be assigned, and files that cannot be read. */
function useSources(take: ReturnType<typeof useEntries>['take']) {
  const text = useText()
  const [tables, setTables] = useState<readonly TableEntry[]>([])
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])
  const [reading, setReading] = useState(0)
  const count = useRef(0)

  const refuse = (source: string, message: string) =>
    setRefused((before) => [...before, { key: String(++count.current), source, message }])
  const dismiss = (key: string) => setRefused((before) => before.filter((one) => one.key !== key))
  const dismissTable = (key: string) => setTables((before) => before.filter((one) => one.key !== key))
  const request = async (source: string, body: ImportFile) => {
    try {
      const { playbooks, table } = await call(playbookImportsApi.preview, { body })
      if (table) {
        const entry = { key: String(++count.current), source, ...body, table }
        setTables((before) => [...before, entry])
      } else if (playbooks.length === 0) refuse(source, text('playbookDialogs.fileWithout'))
      else take(source, playbooks)
    } catch (error) {
      refuse(source, failureOf(error, text('playbookDialogs.fileNotRead')))
    }
  }
  const read = async (source: Source) => {
    const { name } = source
    const found =
      source instanceof File
        ? await readSources(source)
        : [{ source: name, fileName: name, content: source.content }]
    if (typeof found === 'string') return refuse(name, text(`playbookDialogs.${found}`))
    for (const { source: shown, fileName, content } of found)
      // oxlint-disable-next-line no-await-in-loop -- in the order of the sheets
      await request(shown, { fileName, content })
  }
  /** Reads files one after another, so that the list keeps their order. */
  const add = async (sources: readonly Source[]) => {
    setReading((before) => before + sources.length)
    for (const source of sources) {
      // oxlint-disable-next-line no-await-in-loop -- in the order of the list
      await read(source)
      setReading((before) => before - 1)
    }
  }
  /** Reads a table again with the columns that were assigned. */
  const readTable = async (
    { key, source, fileName, content }: TableEntry,
    columns: readonly (ImportColumn | null)[],
  ) => {
    setReading((before) => before + 1)
    await request(source, { fileName, content, columns: [...columns] })
    dismissTable(key)
    setReading((before) => before - 1)
  }
  return { tables, refused, isReading: reading > 0, add, readTable, dismissTable, dismiss }
}

/** Finds the category of an entry, and creates a chosen new one. Entries with the same name share it. */
function useNewCategories(categories: readonly Named[]) {
  const made = useRef<Named[]>([])
  const categoryIdFor = async ({ categoryId, playbook }: ImportEntry): Promise<string | null> => {
    if (categoryId !== NEW_CATEGORY) return categoryId
    const known = categoryNamed([...categories, ...made.current], playbook.categoryName)
    if (known) return known.id
    const name = newCategoryOf(playbook, categories) ?? ''
    try {
      const category = await call(playbookCategoriesApi.create, { body: { name } })
      made.current.push(category)
      return category.id
    } catch (error) {
      // Somebody else created the category meanwhile.
      if (statusOf(error) !== 409) throw error
      const all = await call(playbookCategoriesApi.list, { query: { withPlaybooks: 'false' } })
      const theirs = categoryNamed(all, name)
      if (!theirs) throw error
      made.current.push(theirs)
      return theirs.id
    }
  }
  return { categoryIdFor, madeIds: () => made.current.map(({ id }) => id) }
}

interface Options extends ImportLimits {
  readonly categories: readonly Named[]
  /** Number of playbooks that the organisation can still keep. */
  readonly room: number
  readonly onCreated: (created: readonly CreatedPlaybook[]) => void
  readonly onUndone: (ids: readonly string[]) => void
  readonly onClose: () => void
}

/**
 * Reads files, and creates the selected playbooks that can be saved, one after another. The others stay with their
 * problems. Created ones are not created again.
 */
export function useImport({ categories, room, maxActivities, onCreated, onUndone, onClose }: Options) {
  const text = useText()
  const client = useQueryClient()
  const list = useEntries(categories, room)
  const { entries, change } = list
  const sources = useSources(list.take)
  const { categoryIdFor, madeIds } = useNewCategories(categories)
  const offerUndo = useUndo((ids) => {
    list.forget(ids)
    onUndone(ids)
  })
  const [progress, setProgress] = useState({ done: 0, count: 0 })
  const pending = entries.filter(({ isChosen, created }) => isChosen && created === null)
  const ready = pending.filter(({ playbook }) => excessOf(playbook, { maxActivities }).length === 0)
  const created = entries.flatMap((entry) => entry.created ?? [])

  const messageWithoutWords = (error: unknown) =>
    statusOf(error) === 0 ? (error as Error).message : text('kit.wentWrong')
  /** Returns the playbook, or undefined after a failure; throws if the others would fail as well. */
  const create = async (entry: ImportEntry): Promise<CreatedPlaybook | undefined> => {
    try {
      const body = bodyOf(entry.playbook, await categoryIdFor(entry))
      const { id, categoryId, version } = await call(playbooksApi.create, { body })
      change(entry.key, { created: { id, categoryId, version } })
      return { id, categoryId, version }
    } catch (error) {
      change(entry.key, { failure: failureOf(error, messageWithoutWords(error)) })
      if (STOPPING.has(statusOf(error) ?? 0)) throw error
      return undefined
    }
  }
  const createAll = async () => {
    setProgress({ done: 0, count: ready.length })
    for (const { key } of ready) change(key, { failure: null })
    const made: CreatedPlaybook[] = []
    try {
      for (const entry of ready) {
        // oxlint-disable-next-line no-await-in-loop -- in the order of the list, and the limit counts each
        const one = await create(entry)
        if (one) made.push(one)
        setProgress(({ done, count }) => ({ done: done + 1, count }))
      }
    } catch {
      // The failure is shown at the playbook.
    }
    void client.invalidateQueries({ queryKey: ['playbooks'] })
    void client.invalidateQueries({ queryKey: ['playbook-categories'] })
    if (made.length > 0) offerUndo(made, madeIds())
    return made.length === pending.length && sources.tables.length === 0 ? [...created, ...made] : undefined
  }
  const { busy, submit } = useSubmitOnce(async () => {
    const all = await createAll()
    if (!all) return
    // Closes the dialog first, which drops its entries before the page navigates.
    onClose()
    onCreated(all)
  })
  return { ...sources, ...list, pending, ready, created, busy, progress, submit }
}
export type ImportState = ReturnType<typeof useImport>
