import AddAlertRounded from '@mui/icons-material/AddAlertRounded'
import BookRounded from '@mui/icons-material/BookRounded'
import ChatRounded from '@mui/icons-material/ChatRounded'
import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import FolderRounded from '@mui/icons-material/FolderRounded'
import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded'
import KeyboardRounded from '@mui/icons-material/KeyboardRounded'
import ManageSearchRounded from '@mui/icons-material/ManageSearchRounded'
import PersonRounded from '@mui/icons-material/PersonRounded'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { chatAccess } from '#contract/chat/access.ts'
import type { Room } from '#contract/chat/schema.ts'
import { filesAccess } from '#contract/files/access.ts'
import type { FoundItem } from '#contract/files/schema.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import { type Access, signedIn } from '#contract/kit/access.ts'
import { fullName } from '#contract/kit/names.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { call } from '#providers/api.ts'
import { chat } from '#providers/chat/chat.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { getSession } from '#providers/session.ts'
import { requestSlice } from '#providers/slice.ts'
import { useCan } from '#providers/useCan.ts'
import { RoomIcon } from '#src/chat/lists/RoomIcon.tsx'
import { titleOf } from '#src/chat/titleValues.ts'
import { filePath, folderPath } from '#src/files/useFilesRoute.ts'
import { hasEachWord } from '#src/kit/browser/hasEachWord.ts'
import { type FinderScope, openShortcuts } from '#src/kit/layout/shellDialogs.ts'
import { useText } from '#src/kit/useText.ts'

import { useAllowedSections } from '../MenuEntries.tsx'

// Contracts are imported by the searches, so that the pages' chunks stay as they are.
/** Records per kind, and rooms where the finder looks for nothing else. */
const SHOWN = 5
const ROOMS_SHOWN = 20
/** Letters from which records other than rooms are searched: one finds nearly all. */
const SEARCHED_FROM = 2

export type FoundKind = 'acts' | 'rooms' | 'people' | 'incidents' | 'playbooks' | 'files'

/** A row of the finder. */
export interface Found {
  readonly key: string
  readonly kind: FoundKind
  readonly label: string
  /** Second line, such as an address. */
  readonly detail?: string | undefined
  readonly icon: ReactNode
  readonly isUnread?: boolean
  /** Opens the row: an address, or an act that returns one. */
  readonly to: string | (() => Promise<string> | void)
}

interface Source {
  readonly kind: Exclude<FoundKind, 'acts'>
  readonly access: Access
  readonly find: (q: string, count: number, signal: AbortSignal) => Promise<readonly Found[]>
}

const foundRoom = (room: Room): Found => ({
  key: room.id,
  kind: 'rooms',
  label: titleOf(room),
  icon: <RoomIcon room={room} />,
  isUnread: room.membership.unread > 0,
  to: `/chat/${room.id}`,
})

const placeOf = ({ id, isFolder, path }: FoundItem): string =>
  isFolder ? folderPath(id) : filePath(id, path.at(-1)?.id ?? 0)

const SOURCES: readonly Source[] = [
  {
    kind: 'rooms',
    access: chatAccess,
    async find(q, count, signal) {
      const query = { ...(q && { q }), first: 0, count, signal }
      // Unread rooms may lie beyond the first page of all rooms.
      const [unread, all] = await Promise.all([
        chat.provider.rooms({ ...query, isUnread: true }),
        chat.provider.rooms(query),
      ])
      const ids = new Set(unread.items.map(({ id }) => id))
      const others = all.items.filter(({ id }) => !ids.has(id))
      return [...unread.items, ...others].slice(0, count).map(foundRoom)
    },
  },
  {
    kind: 'people',
    access: signedIn,
    async find(q, count, signal) {
      const { usersApi } = await import('#contract/users/api.ts')
      const { users } = await call(usersApi.search, { query: { searchString: q }, signal })
      const others = users.filter(({ uuid }) => uuid !== getSession().uuid)
      return others.slice(0, count).map((person) => ({
        key: person.uuid,
        kind: 'people',
        label: fullName(person),
        detail: [person.email, person.department].filter(Boolean).join(' · '),
        icon: <PersonRounded />,
        to: async () => {
          const room = await chat.take((provider) =>
            provider.createRoom({ kind: 'DIRECT_MESSAGE', userIds: [person.uuid] }),
          )
          return `/chat/${room.id}`
        },
      }))
    },
  },
  {
    kind: 'incidents',
    access: incidentsAccess.read,
    async find(q, count, signal) {
      const { incidentsApi } = await import('#contract/incidents/api.ts')
      const query = { searchWord: q, activeFirst: 'true', size: String(count) } as const
      const { data } = await call(incidentsApi.list, { query, signal })
      return data.map(({ id, number, title }) => ({
        key: id,
        kind: 'incidents',
        label: title,
        detail: number,
        icon: <CrisisAlertRounded />,
        to: `/incidents/${id}`,
      }))
    },
  },
  {
    kind: 'playbooks',
    access: playbooksAccess.read,
    async find(q, count, signal) {
      const { playbooksApi } = await import('#contract/playbooks/api.ts')
      const part = { first: 0, count, filter: { q }, signal }
      const { items } = await requestSlice<{ id: string; name: string }>(playbooksApi.list, part)
      return items.map(({ id, name }) => ({
        key: id,
        kind: 'playbooks',
        label: name,
        icon: <BookRounded />,
        to: `/playbooks/${id}`,
      }))
    },
  },
  {
    kind: 'files',
    access: filesAccess.use,
    async find(q, count, signal) {
      const { filesApi } = await import('#contract/files/api.ts')
      const part = { first: 0, count, query: { query: q }, signal }
      const { items } = await requestSlice<FoundItem>(filesApi.search, part)
      return items.map((item) => ({
        key: String(item.id),
        kind: 'files',
        label: item.name,
        detail: item.path.map(({ name }) => name).join(' / '),
        icon: item.isFolder ? <FolderRounded /> : <InsertDriveFileRounded />,
        to: placeOf(item),
      }))
    },
  },
]

interface Act {
  readonly label: TextKey
  readonly icon: ReactNode
  readonly access: Access
  readonly to: Found['to']
}
const ACTS: readonly Act[] = [
  {
    label: 'find.acts.declare',
    icon: <AddAlertRounded />,
    access: incidentsAccess.write,
    to: '/incidents/create',
  },
  {
    label: 'find.acts.message',
    icon: <ChatRounded />,
    access: chatAccess,
    to: '/chat?new=DIRECT_MESSAGE',
  },
  {
    label: 'find.acts.searchMessages',
    icon: <ManageSearchRounded />,
    access: chatAccess,
    to: '/chat?search',
  },
  {
    label: 'find.acts.playbook',
    icon: <BookRounded />,
    access: playbooksAccess.write,
    to: '/playbooks?new=1',
  },
  { label: 'find.acts.shortcuts', icon: <KeyboardRounded />, access: signedIn, to: openShortcuts },
]

/** Acts and pages with every typed word in their name. */
function useActs(q: string): readonly Found[] {
  const text = useText()
  const can = useCan()
  const sections = useAllowedSections()
  const acts = ACTS.filter(({ access }) => can(access)).map(({ label, icon, to }): Found => ({
    key: label,
    kind: 'acts',
    label: text(label),
    icon,
    to,
  }))
  const pages = sections.map(({ label, icon: Icon, path, group }): Found => {
    const detail = group && text(`app.sections.${group}`)
    return { key: path, kind: 'acts', label: text(label), detail, icon: <Icon />, to: path }
  })
  return [...acts, ...pages].filter(({ label, detail = '' }) => hasEachWord(`${label} ${detail}`, q))
}

/** Everything that is found for a text, the kinds in one order; without a text rooms, acts and pages. */
export function useFound(q: string, scope: FinderScope) {
  const can = useCan()
  const acts = useActs(q)
  const isWanted = ({ kind }: Source) => kind === 'rooms' || (scope === 'all' && q.length >= SEARCHED_FROM)
  const sources = SOURCES.filter((source) => can(source.access) && isWanted(source))
  const count = scope === 'rooms' ? ROOMS_SHOWN : SHOWN
  const kinds = sources.map(({ kind }) => kind)
  // One query, so that no row moves away under the pointer as others come.
  const { data, isFetching } = useQuery({
    queryKey: ['find', kinds, count, q],
    queryFn: async ({ signal }) => {
      const answers = await Promise.allSettled(sources.map(({ find }) => find(q, count, signal)))
      return {
        rows: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
        failed: kinds.filter((_, n) => answers[n]!.status === 'rejected'),
      }
    },
    placeholderData: keepPreviousData,
  })
  // Rows that come later would stand above the highlighted one.
  if (!data) return { rows: [], isSearching: isFetching, failed: [] }
  const { rows: found, failed } = data
  // Acts are asked for by name; without a text the rooms come first.
  const both = q === '' ? [...found, ...acts] : [...acts.slice(0, SHOWN), ...found]
  return { rows: scope === 'all' ? both : found, isSearching: isFetching, failed }
}
