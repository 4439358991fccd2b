import DeleteRounded from '@mui/icons-material/DeleteRounded'
import GroupRounded from '@mui/icons-material/GroupRounded'
import * as z from 'zod/mini'

import { channelsApi } from '#contract/channels/api.ts'
import { Channel, type CHANNEL_ORDERS, CHANNELS_PER_PAGE } from '#contract/channels/schema.ts'
import { RoomText } from '#contract/chat/schema.ts'
import { ById } from '#contract/kit/text.ts'
import { call } from '#providers/api.ts'
import type { AdaptedPage, Adapter } from '#providers/httpClient.ts'
import { HttpProblem } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'

type Order = (typeof CHANNEL_ORDERS)[number]
const OF_TEAM = '/streamadmin/channels/team/:id'

/** A page of channels, without their members. */
const listChannels: Adapter = async ({ filter: { q }, sort, range: [first, last] = [0, 0], signal }) => {
  const body = {
    filter_conditions: typeof q === 'string' ? { name: { $autocomplete: q } } : {},
    sort: sort
      ? [{ field: sort[0] as Order, direction: sort[1] === 'ASC' ? (1 as const) : (-1 as const) }]
      : [],
    limit: last - first + 1,
    offset: first,
    memberLimit: 0,
  }
  const { channels, total } = await call(channelsApi.list, { body, signal })
  return { rows: channels.map(({ channel }) => channel), total } satisfies AdaptedPage
}
const findChannel: Adapter = async ({ id, signal }) => {
  const body = { filter_conditions: { id }, memberLimit: 0 }
  const { channels } = await call(channelsApi.list, { body, signal })
  if (!channels[0]) throw new HttpProblem('', 404)
  return channels[0].channel
}
const updateChannel: Adapter = async ({ id, body, signal }) => {
  const params = { type: 'team' as const, id }
  const set = body as z.input<typeof RoomText>
  return (await call(channelsApi.update, { params, body: { set }, signal })).channel
}

/** The endpoints of channels, adapted to react-admin. */
export const channelCalls = {
  ...channelsApi,
  list: { ...channelsApi.list, reply: z.array(Channel), send: listChannels },
  get: { ...channelsApi.list, path: OF_TEAM, params: ById, reply: Channel, send: findChannel },
  update: {
    ...channelsApi.update,
    path: OF_TEAM,
    params: ById,
    body: RoomText,
    reply: Channel,
    send: updateChannel,
  },
  remove: { ...channelsApi.remove, path: OF_TEAM, params: ById },
}

const ChannelMembersDialog = lazy(async () => ({
  default: (await import('#src/channels/ChannelMembersDialog.tsx')).ChannelMembersDialog,
}))

const Inputs = ({ inputs: { TextInput } }: InputsOf<typeof channelCalls>) => (
  <>
    <TextInput source="name" label="channels.name" required autoFocus />
    <TextInput source="description" label="channels.description" lines={3} />
  </>
)

/** Headquarters is neither edited nor managed (administration §2.1). */
const canChange = ({ isHeadquarters }: Channel) => !isHeadquarters

/** War rooms and breakout rooms (administration §2.1). */
export const messagingAdmin = defineResource({
  title: 'channels.title',
  api: channelCalls,
  pageSizes: [CHANNELS_PER_PAGE],
  columns: [
    { field: 'name', label: 'channels.name', flex: 2, minWidth: 160 },
    {
      field: 'isWarRoom',
      label: 'channels.kind',
      width: 144,
      sortable: false,
      card: 'corner',
      text: ({ isWarRoom }, text) => text(`channels.kinds.${isWarRoom ? 'warRoom' : 'breakoutRoom'}`),
    },
    {
      field: 'description',
      label: 'channels.description',
      flex: 3,
      minWidth: 160,
      sortable: false,
      yields: 2,
      card: 'line',
    },
    { field: 'member_count', label: 'channels.members', kind: 'number', width: 112, card: 'line' },
    {
      field: 'last_message_at',
      label: 'channels.lastMessage',
      kind: 'time',
      width: 176,
      yields: 1,
      card: 'line',
    },
    { field: 'created_at', label: 'channels.created', kind: 'time', width: 176, yields: 3 },
  ],
  sort: ['name', 'ASC'],
  search: 'channels.search',
  refreshRests: true,
  footerFrom: 8,
  empty: 'channels.empty',
  inputs: Inputs,
  edit: {
    label: 'channels.edit',
    when: canChange,
    values: ({ name, description }) => ({ name, description }),
    done: 'channels.updated',
  },
  actions: [
    {
      call: 'changeMembers',
      label: 'channels.manage',
      icon: GroupRounded,
      when: canChange,
      show: ChannelMembersDialog,
    },
    {
      call: 'remove',
      label: 'channels.remove',
      icon: DeleteRounded,
      destructive: true,
      when: canChange,
      confirm: { title: 'channels.removeTitle', text: 'channels.removeText' },
      done: 'channels.removed',
      failed: 'channels.notRemoved',
    },
  ],
})
