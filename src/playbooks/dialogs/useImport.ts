import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useCallback, useRef, useState } from 'react'

import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import { playbookImportsApi } from '#contract/playbook-imports/api.ts'
import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { readTextFile } from './fileValues.ts'
import {
  bodyOf,
  categoryNamed,
  failureOf,
  type ImportEntry,
  NEW_CATEGORY,
  newCategoryOf,
  type RefusedFile,
} from './importValues.ts'

/** Statuses after which other playbooks would fail as well: no connection, session, permission or capacity. */
const STOPPING = new Set([0, 401, 403])

type Source = File | { readonly name: string; readonly content: string }
interface Named {
  readonly id: string
  readonly name: string
}

/** The parsed playbooks, and the files that cannot be read. */
function useSources(categories: readonly Named[], room: number) {
  const text = useText()
  const [entries, setEntries] = useState<readonly ImportEntry[]>([])
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])
  const [reading, setReading] = useState(0)
  const count = useRef(0)
  const latest = useLatest({ categories, room })

  const refuse = (source: string, message: string) =>
    setRefused((before) => [...before, { key: String(++count.current), source, message }])
  const take = (source: string, playbooks: readonly ImportedPlaybook[]) => {
    const added = playbooks.map((playbook): ImportEntry => ({
      key: String(++count.current),
      source,
      playbook,
      categoryId: categoryNamed(latest.current.categories, playbook.categoryName)?.id ?? null,
      isChosen: true,
      createdId: null,
      failure: null,
    }))
    // Selects as many as there is room for.
    setEntries((before) => {
      const chosen = before.filter(({ isChosen, createdId }) => isChosen && createdId === null).length
      const free = latest.current.room - chosen
      return [...before, ...added.map((one, index) => ({ ...one, isChosen: index < free }))]
    })
  }
  const read = async (source: Source) => {
    const { name } = source
    try {
      const found = source instanceof File ? await readTextFile(source) : source
      if (!('content' in found)) return refuse(name, text(`playbookDialogs.${found.unreadable}`))
      const body = { fileName: name, content: found.content }
      const { playbooks } = await call(playbookImportsApi.preview, { body })
      if (playbooks.length === 0) refuse(name, text('playbookDialogs.fileWithout'))
      else take(name, playbooks)
    } catch (error) {
      refuse(name, failureOf(error, text('playbookDialogs.fileNotRead')))
    }
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
  const dismiss = (key: string) => setRefused((before) => before.filter((one) => one.key !== key))
  return { entries, refused, isReading: reading > 0, add, change, replace, dismiss }
}

/** Returns the category of an entry, and creates a chosen new one. Entries with the same name share it. */
function useNewCategories(categories: readonly Named[]) {
  const made = useRef<Named[]>([])
  return async ({ categoryId, playbook }: ImportEntry): Promise<string | null> => {
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
}

interface Options {
  readonly categories: readonly Named[]
  /** Number of playbooks that the organisation can still keep. */
  readonly room: number
  readonly onCreated: (playbookIds: string[]) => void
  readonly onClose: () => void
}

/** Reads files, and creates the selected playbooks one after another. Created ones are not created again. */
export function useImport({ categories, room, onCreated, onClose }: Options) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const sources = useSources(categories, room)
  const { entries, change } = sources
  const categoryIdFor = useNewCategories(categories)
  const [progress, setProgress] = useState({ done: 0, count: 0 })
  const pending = entries.filter(({ isChosen, createdId }) => isChosen && createdId === null)
  const createdIds = entries.flatMap(({ createdId }) => (createdId === null ? [] : [createdId]))

  const messageWithoutWords = (error: unknown) =>
    statusOf(error) === 0 ? (error as Error).message : text('kit.wentWrong')
  /** Returns the id, or undefined after a failure; throws if the others would fail as well. */
  const create = async (entry: ImportEntry): Promise<string | undefined> => {
    try {
      const body = bodyOf(entry.playbook, await categoryIdFor(entry))
      const { id } = await call(playbooksApi.create, { body })
      change(entry.key, { createdId: id })
      return id
    } catch (error) {
      change(entry.key, { failure: failureOf(error, messageWithoutWords(error)) })
      if (STOPPING.has(statusOf(error) ?? 0)) throw error
      return undefined
    }
  }
  const createAll = async () => {
    setProgress({ done: 0, count: pending.length })
    for (const { key } of pending) change(key, { failure: null })
    const ids: string[] = []
    try {
      for (const entry of pending) {
        // oxlint-disable-next-line no-await-in-loop -- in the order of the list, and the limit counts each
        const id = await create(entry)
        if (id !== undefined) ids.push(id)
        setProgress(({ done, count }) => ({ done: done + 1, count }))
      }
    } catch {
      // The failure is shown at the playbook.
    }
    void client.invalidateQueries({ queryKey: ['playbooks'] })
    void client.invalidateQueries({ queryKey: ['playbook-categories'] })
    if (ids.length > 0)
      notify(text('playbookDialogs.created', { smart_count: ids.length }), { type: 'success' })
    return ids.length === pending.length ? [...createdIds, ...ids] : undefined
  }
  const { busy, submit } = useSubmitOnce(async () => {
    const all = await createAll()
    if (!all) return
    // Closes the dialog first, which drops its entries before the page navigates.
    onClose()
    onCreated(all)
  })
  return { ...sources, pending, createdIds, busy, progress, submit }
}
export type ImportState = ReturnType<typeof useImport>
