import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'

import { filesApi } from '#contract/files/api.ts'
import {
  type FolderType,
  hasGroups,
  NAME_TAKEN,
  OWN_GROUPS_NEEDED,
  ROOT,
  type StorageItem,
} from '#contract/files/schema.ts'
import { call } from '#providers/api.ts'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import type { Notice } from '#src/kit/form/NameDialog.tsx'
import { useText } from '#src/kit/useText.ts'
import { needsVerification } from '#src/verifications/needsVerification.ts'

import { refreshFiles } from '../queries.ts'
import { refusalOf } from './refusalValues.ts'

export interface FolderDraft {
  name: string
  folderType: FolderType
  groupIds: string[]
}
export const draftOf = (folder: StorageItem | null): FolderDraft => ({
  name: folder?.name ?? '',
  folderType: folder?.folderType ?? 'PUBLIC',
  groupIds: folder ? [...folder.groupIds] : [],
})

interface Options {
  /** Null for a new folder. */
  readonly folder: StorageItem | null
  readonly parentFolderId: number
  readonly form: UseFormReturn<FolderDraft>
}

/** Creates or changes a folder. Shows a refusal at the name field or above the buttons (operations §8). */
export function useSaveFolder({ folder, parentFolderId, form }: Options) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const [notice, setNotice] = useState<Notice>()
  const base = useRef(folder)

  const send = ({ name, folderType, groupIds }: FolderDraft) => {
    const access = { folderType, groupIds: hasGroups(folderType) ? groupIds : [] }
    const { current } = base
    if (current)
      return call(filesApi.change, {
        params: { id: current.id },
        body: { name, ...access, version: current.version },
      })
    return call(filesApi.createFolder, {
      body: parentFolderId === ROOT ? { name, parentFolderId, ...access } : { name, parentFolderId },
    })
  }
  const takeNewer = async (refusal: string, { id }: StorageItem) => {
    const newer = await call(filesApi.details, { params: { id } })
    takeLatest(form, draftOf(base.current), draftOf(newer))
    base.current = newer
    setNotice({ severity: 'warning', message: `${refusal} ${text('grid.newerLoaded')}` })
  }
  const refuse = async (error: unknown) => {
    const { status, message, atName, isStale } = refusalOf(error, text('kit.wentWrong'))
    if (isStale && base.current) return takeNewer(message, base.current)
    if (atName || message === NAME_TAKEN)
      return form.setError('name', { type: 'server', message }, { shouldFocus: true })
    const isOwnGroups = status === 403 && !needsVerification(error)
    setNotice({ severity: 'error', message: isOwnGroups ? OWN_GROUPS_NEEDED : message })
  }
  const save = async (draft: FolderDraft): Promise<boolean> => {
    setNotice(undefined)
    try {
      const { name } = await send(draft)
      notify(folder ? text('files.saved') : text('files.folderCreated', { name }), { type: 'success' })
      return true
    } catch (error) {
      await refuse(error).catch(() => setNotice({ severity: 'error', message: text('kit.wentWrong') }))
      return false
    } finally {
      void refreshFiles(client)
    }
  }
  return { save, notice }
}
