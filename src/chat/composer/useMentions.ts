import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Editor, useEditorState } from '@tiptap/react'
import type { EditorState } from '@tiptap/pm/state'
import { useId, useLayoutEffect, useRef, useState } from 'react'

import { mentionGroupsAccess } from '#contract/chat/access.ts'
import { HERE } from '#contract/chat/rules.ts'
import type { RoomMember } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { useChat, useMemberChanges } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'

/** Number of suggestions, and milliseconds of debounce (operations §5). */
const SUGGESTIONS_MAX = 50
const DEBOUNCE_MS = 350
/** People before groups and everybody online, so that those are in view, and nobody is notified by a quick Enter. */
const PEOPLE_FIRST = 4
/** `@` at the start of a word, and 1 to 75 characters after it. An earlier mention counts as one replacement character. */
const QUERY = /(?:^|[\s(\ufffc])@([^\s@\ufffc][^@\ufffc]{0,74})$/

/** Position and query of the mention at the caret, joined in one text; empty for none. */
function typedMention({ selection, doc }: EditorState): string {
  const { $from, empty } = selection
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return ''
  const before = doc.textBetween($from.start(), $from.pos, undefined, '\ufffc')
  const query = QUERY.exec(before)?.[1]
  return query === undefined ? '' : `${$from.pos - query.length - 1} ${query}`
}

/** A person, or an audience such as a group, that can be mentioned. */
export interface Suggestion {
  readonly key: string
  /** The address or the handle, which the message keeps. */
  readonly email: string
  readonly name: string
  readonly person?: RoomMember
  /** Members of the room in a group. Absent for everybody online. */
  readonly count?: number
}
const personSuggested = (person: RoomMember): Suggestion => ({
  key: person.user_id,
  email: person.email,
  name: fullName(person) || person.email,
  person,
})
const audienceSuggested = (handle: string, count?: number): Suggestion => ({
  key: `audience ${handle}`,
  email: handle,
  name: handle,
  ...(count !== undefined && { count }),
})

interface Suggestions {
  /** The query of the last request. */
  readonly settled: string
  readonly people: readonly Suggestion[]
  /** True while `people` are not yet those of the query. */
  readonly isLate: boolean
  /** Requests the people of the query at once. */
  readonly find: () => Promise<readonly Suggestion[]>
}
/** Members of a room with a name, without the caller, requested a moment after the last change. */
function useSuggestions(roomId: string, query: string, isDismissed: boolean): Suggestions {
  const { provider } = useChat()
  const hasHere = !provider.lacks?.has('audiences')
  const hasGroups = useCan()(mentionGroupsAccess) && hasHere
  const queryClient = useQueryClient()
  const { uuid } = useSession()
  const settled = useDebounced(query, DEBOUNCE_MS)
  const changes = useMemberChanges(roomId)
  const membersNamed = (q: string) => ({
    queryKey: ['chat', 'members', roomId, changes, 'mentions', q],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Suggestion[]> => {
      const [members, groups] = await Promise.all([
        // One more, because the caller is among the members.
        provider.members(roomId, { q: q.trim(), active: true, first: 0, count: SUGGESTIONS_MAX + 1, signal }),
        // People can be mentioned while the groups fail.
        hasGroups ? provider.groupsInRoom(roomId, q.trim(), signal).catch(() => []) : [],
      ])
      const others = members.items.filter(({ user_id }) => user_id !== uuid).slice(0, SUGGESTIONS_MAX)
      const people = others.map(personSuggested)
      return [
        ...people.slice(0, PEOPLE_FIRST),
        ...(hasHere && HERE.startsWith(q.trim().toLowerCase()) ? [audienceSuggested(HERE)] : []),
        ...groups.map(({ handle, count }) => audienceSuggested(handle, count)),
        ...people.slice(PEOPLE_FIRST),
      ]
    },
  })
  const isWanted = query !== '' && settled !== '' && !isDismissed
  const { data, isPlaceholderData, isFetching } = useQuery({
    ...membersNamed(settled),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  // Nobody has a longer name if nobody has its beginning.
  const isNobody = isWanted && !isPlaceholderData && data?.length === 0 && query.startsWith(settled)
  return {
    settled,
    people: isWanted ? (data ?? []) : [],
    isLate: query !== '' && !isDismissed && !isNobody && (settled !== query || isFetching),
    find: () => queryClient.fetchQuery(membersNamed(query)),
  }
}

export interface Mentions {
  readonly listId: string
  readonly isOpen: boolean
  readonly people: readonly Suggestion[]
  readonly active: number
  readonly choose: (suggestion: Suggestion) => void
  /**
   * Returns true if the list handled the key. Enter before the suggestions have come mentions the only person with the
   * typed name, and calls `submit` if there is none.
   */
  readonly handleKey: (event: KeyboardEvent, submit: () => void) => boolean
  readonly optionId: (index: number) => string
}

/** Suggests members of the room after `@` and part of a name. */
export function useMentions(editor: Editor | null, roomId: string): Mentions {
  const listId = useId()
  /** The typed mention for which the list was dismissed; typing on does not reopen it. */
  const [dismissed, setDismissed] = useState('')
  const typed =
    useEditorState({
      editor,
      selector: ({ editor: current }) => (current ? typedMention(current.state) : ''),
    }) ?? ''
  const [from = ''] = typed.split(' ', 1)
  const query = typed.slice(from.length + 1)
  const isDismissed = dismissed !== '' && typed.startsWith(dismissed)
  const { settled, people, isLate, find } = useSuggestions(roomId, query, isDismissed)
  const [chosen, setChosen] = useState({ query: '', index: 0 })
  const active = chosen.query === settled ? Math.min(chosen.index, people.length - 1) : 0
  const isOpen = people.length > 0

  const choose = ({ email, name }: Suggestion) => {
    const start = Number(from)
    const attrs = { email, name }
    editor
      ?.chain()
      .focus()
      .insertContentAt({ from: start, to: start + query.length + 1 }, [
        { type: 'mention', attrs },
        { type: 'text', text: ' ' },
      ])
      .run()
  }
  const latest = useRef(typed)
  useLayoutEffect(() => {
    latest.current = typed
  })
  /** Looks at once for those with the typed name: mentions the only one, leaves several to the list. */
  const settle = async (otherwise: () => void) => {
    const fitting = await find().catch(() => [])
    if (latest.current !== typed) return
    if (fitting.length === 1) choose(fitting[0]!)
    else if (fitting.length === 0) otherwise()
  }
  const handleKey = (event: KeyboardEvent, submit: () => void): boolean => {
    const isPlainEnter = event.key === 'Enter' && !event.shiftKey
    if (isLate && isPlainEnter) {
      void settle(submit)
      return true
    }
    if (!isOpen) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined)
      setChosen({ query: settled, index: (active + step + people.length) % people.length })
    else if (event.key === 'Enter' || event.key === 'Tab') choose(people[active]!)
    else if (event.key === 'Escape') setDismissed(typed)
    else return false
    return true
  }
  const optionId = (index: number) => `${listId}-${index}`
  return { listId, isOpen, people, active, choose, handleKey, optionId }
}
