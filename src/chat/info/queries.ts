import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { NewExport, RoomExport } from '#contract/room-exports/schema.ts'
import { useChat, useMemberChanges, useTimeline } from '#providers/chat/useChat.ts'
import { statusOf } from '#providers/problem.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { useText } from '#src/kit/useText.ts'
import { wordsOf } from '#src/attachments/useAttachments.ts'

import { saveDownload } from '../downloadValues.ts'

/** Rows per page of members and of files (decisions §3 "Member page"). */
export const ROWS_PER_PAGE = 30
/** Milliseconds between presence requests while the list is shown. */
const PRESENCE_MS = 30_000
const EXPORT_POLL_MS = 1_000
/** Milliseconds that a finished export stays available. */
const EXPORT_KEPT_MS = 86_400_000

/** The requested part of a list. */
export interface ListPart {
  readonly q?: string
  /** Counts from 1. */
  readonly page?: number
  readonly size?: number
}
const rangeOf = ({ q = '', page = 1, size = ROWS_PER_PAGE }: ListPart) => ({
  ...(q !== '' && { q }),
  first: (page - 1) * size,
  count: size,
})

/** Members of a room by name. Refetched when somebody enters, leaves or changes role. */
export function useMembers(roomId: string, part: ListPart = {}) {
  const chat = useChat()
  const changes = useMemberChanges(roomId)
  return useQuery({
    queryKey: ['chat', 'members', roomId, changes, part],
    queryFn: async ({ signal }) => {
      const members = await chat.provider.members(roomId, { ...rangeOf(part), signal })
      chat.learn(members.items)
      return members
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
/** Refetches the members of a room, for pages without a live connection. */
export function useRefreshMembers(roomId: string): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: ['chat', 'members', roomId] })
}

const NOBODY: ReadonlySet<string> = new Set()
/** Ids of those people who have a page open. */
export function usePresence(userIds: readonly string[]): ReadonlySet<string> {
  const chat = useChat()
  const { data } = useQuery({
    queryKey: ['chat', 'presence', userIds],
    queryFn: async () => new Set(await chat.provider.presence(userIds)),
    placeholderData: keepPreviousData,
    refetchInterval: PRESENCE_MS,
    staleTime: 0,
    retry: false,
    enabled: userIds.length > 0,
  })
  return data ?? NOBODY
}

/** The pinned messages of a room. Refetched when the loaded messages change. */
export function usePinned(roomId: string) {
  const chat = useChat()
  const { messages } = useTimeline(roomId)
  const known = messages.flatMap(({ id, pinned }) => (pinned ? [`${id} ${pinned.timestamp}`] : []))
  return useQuery({
    queryKey: ['chat', 'pinned', roomId, known],
    queryFn: async ({ signal }) => {
      const page = await chat.provider.pinned(roomId, signal)
      chat.learn(page.people)
      return page.messages
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** The files of a room, newest first. Refetched when the loaded messages change. */
export function useFiles(roomId: string, part: ListPart = {}) {
  const chat = useChat()
  const { messages } = useTimeline(roomId)
  const known = messages.reduce((sum, { attachments }) => sum + attachments.length, 0)
  const last = messages.findLast(({ attachments }) => attachments.length > 0)?.sequence ?? 0
  return useQuery({
    queryKey: ['chat', 'files', roomId, known, last, part],
    queryFn: ({ signal }) => chat.provider.files(roomId, { ...rangeOf(part), signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Saves a file of the chat. A failure is kept beside the file instead of a toast (operations §8). */
export function useDownload() {
  const chat = useChat()
  const [failed, setFailed] = useState<{ readonly id: string; readonly message: string }>()
  const download = async (id: string) => {
    setFailed(undefined)
    try {
      saveDownload(await chat.provider.download(id))
    } catch (error) {
      setFailed({ id, message: wordsOf(error) })
    }
  }
  return { download, failed }
}

/** The last export of a room that was requested on this page. It continues while the dialog is closed. */
export function useExport(roomId: string) {
  const chat = useChat()
  const client = useQueryClient()
  const text = useText()
  const key = ['chat', 'export', roomId]
  const isMaking = (one: RoomExport | undefined) => one?.state === 'MAKING'
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => chat.provider.exportProgress(client.getQueryData<RoomExport>(key)!.id),
    enabled: (query) => isMaking(query.state.data),
    refetchInterval: (query) => (isMaking(query.state.data) ? EXPORT_POLL_MS : false),
    staleTime: 0,
    gcTime: EXPORT_KEPT_MS,
    retry: false,
  })
  const forget = () => client.removeQueries({ queryKey: key })
  const request = useMutation({
    mutationFn: (wanted: NewExport) => chat.provider.requestExport(wanted),
    onSuccess: (made) => client.setQueryData(key, made),
  })
  const download = useMutation({
    mutationFn: async (id: string) => {
      const { blob, fileName } = await chat.provider.exportFile(id)
      saveFile(blob, fileName)
    },
  })
  return {
    made: data,
    isLost: isMaking(data) && error !== null && statusOf(error) !== 404,
    // Exports expire after a day, or with their room.
    isGone: statusOf(error) === 404,
    request,
    download,
    downloadProblem: download.error
      ? text('chatRooms.downloadFailed', { message: wordsOf(download.error) })
      : undefined,
    forget: () => {
      forget()
      request.reset()
      download.reset()
    },
  }
}
