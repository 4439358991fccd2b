import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useCallback, useMemo } from 'react'

import { attachmentsApi } from '#contract/attachments/api.ts'
import { type Attachment, downloadFailed, type Parent } from '#contract/attachments/schema.ts'
import type { PlatformConfig } from '#contract/config/schema.ts'
import { FALLBACK_MAX_BYTES, type FileLimits, MEGABYTE } from '#contract/kit/files.ts'
import { call } from '#providers/api.ts'
import { live, useFallbackInterval } from '#providers/live.ts'
import { apiUrl } from '#providers/session.ts'
import { saveFrom } from '#src/kit/browser/saveFile.ts'
import { CONFIG_QUERY, useConfig } from '#src/config/useConfig.ts'

/** Seconds between polls while the live socket is down, as for an active incident (operations §4). */
const POLL_SECONDS = 10

const keyOf = ({ parentId }: Parent) => ['attachments', parentId] as const

/** The message of a failure, to end a sentence with. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The files of a parent record, oldest first. */
export function useAttachments(parent: Parent) {
  return useQuery({
    queryKey: keyOf(parent),
    queryFn: ({ signal }) => call(attachmentsApi.list, { params: parent, signal }),
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })
}

function show(client: QueryClient, parent: Parent, change: (files: Attachment[]) => Attachment[]) {
  client.setQueryData<Attachment[]>(keyOf(parent), (files) => files && change(files))
  if (live.status() === 'open') return
  void client.invalidateQueries({ queryKey: keyOf(parent) })
  void client.invalidateQueries({ queryKey: ['incidents', parent.parentId] })
}

/** Adds a file to the cached list before the server's next answer. */
export function useShowAdded(parent: Parent): (file: Attachment) => void {
  const client = useQueryClient()
  return (added) => show(client, parent, (files) => [...files.filter(({ id }) => id !== added.id), added])
}

export function useRemoveAttachment(parent: Parent) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(attachmentsApi.remove, { params: { id } }),
    onSuccess: (_, gone) => show(client, parent, (files) => files.filter(({ id }) => id !== gone)),
  })
}

export function useRestoreAttachment(parent: Parent) {
  const client = useQueryClient()
  return async (id: string) => {
    await call(attachmentsApi.restore, { params: { id } })
    await client.invalidateQueries({ queryKey: keyOf(parent) })
  }
}

/** The bytes of a file for its preview. */
export const fetchAttachment = async (id: string, page = 1): Promise<Blob> =>
  (await call(attachmentsApi.download, { params: { id }, query: { shown: 'true', page } })).blob

/** Downloads a file by a single-use address. Notifies of a refusal. */
export function useDownload(): (id: string) => Promise<void> {
  const notify = useNotify()
  return useCallback(
    async (id) => {
      try {
        const { path } = await call(attachmentsApi.downloadTicket, { params: { id } })
        saveFrom(apiUrl() + path)
      } catch (error) {
        notify(downloadFailed(wordsOf(error)), { type: 'error' })
      }
    },
    [notify],
  )
}

const limitsOf = ({ maxFileSize, allowedFileExtensions }: PlatformConfig): FileLimits => ({
  maxBytes: maxFileSize === undefined ? FALLBACK_MAX_BYTES : maxFileSize * MEGABYTE,
  extensions: allowedFileExtensions ?? null,
})
/** The organisation's limits for files: the value, undefined until known, and a function that awaits it. */
export function useFileLimits() {
  const client = useQueryClient()
  const config = useConfig()
  return {
    limits: useMemo(() => config && limitsOf(config), [config]),
    load: async () => limitsOf(await client.ensureQueryData(CONFIG_QUERY)),
  }
}
