import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import { channelsApi } from '#contract/channels/api.ts'
import { type Channel, CHANNELS_PER_PAGE, type MemberChanges } from '#contract/channels/schema.ts'
import { call } from '#providers/api.ts'
import { people } from '#providers/people.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

const CHANNELS = 'messaging-admin'

/** The members of a channel whose name matches a text, in pages by cursor. */
export function useChannelMembers(id: string, name: string) {
  const filter_conditions = name === '' ? {} : { name: { $autocomplete: name } }
  const query = useInfiniteQuery({
    queryKey: [CHANNELS, 'members', id, name],
    queryFn: async ({ pageParam: after, signal }) => {
      const body = {
        type: 'team' as const,
        id,
        filter_conditions,
        limit: CHANNELS_PER_PAGE,
        ...(after !== undefined && { user_id_gt: after }),
      }
      const { members } = await call(channelsApi.members, { body, signal })
      people.learn(members.map(({ user }) => user))
      return members
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.length === CHANNELS_PER_PAGE ? last.at(-1)!.user_id : undefined),
  })
  return { ...query, members: query.data?.pages.flat() }
}

/** Changes the members of a channel and notifies of the result. Resolves to true on success. */
export function useMemberChanges({ id }: Channel) {
  const text = useText()
  const notify = useNotify()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const change = async (body: MemberChanges, done: string): Promise<boolean> => {
    setBusy(true)
    try {
      await call(channelsApi.changeMembers, { params: { type: 'team', id }, body })
      notify(done, { type: 'success' })
      return true
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: [CHANNELS] })
      setBusy(false)
    }
  }
  return { isBusy, change }
}
