import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'

import { groupsApi } from '#contract/groups/api.ts'
import type { GroupSummary } from '#contract/groups/schema.ts'
import { call } from '#providers/api.ts'
import { people, usePeople } from '#providers/people.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { PeopleInput } from '#src/users/PeopleInput.tsx'
import { OUT_OF_SIGHT } from '#src/kit/layout/outOfSight.ts'
import { PersonLine } from '#src/users/PersonLine.tsx'

const PAGE = 100

/** Members of a group, loaded by page, because there may be thousands. */
function Members({ group: { id, userCount } }: { group: GroupSummary }) {
  const text = useText()
  const { find } = usePeople()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['groups', 'members', id],
    queryFn: async ({ pageParam: first, signal }) => {
      const range = JSON.stringify([first, first + PAGE - 1])
      const page = await call(groupsApi.members, { params: { id }, query: { range }, signal })
      people.learn(page)
      return page.map(({ email }) => email)
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length === PAGE ? pages.length * PAGE : undefined),
  })
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ListSkeleton phone />
  const emails = [...new Set(data.pages.flat())]
  return (
    <>
      <Box
        component="ul"
        sx={{
          m: 0,
          p: 0,
          listStyle: 'none',
          '& > li': { py: 1, ...OUT_OF_SIGHT },
          '& > li + li': { borderTop: 1, borderColor: 'divider' },
        }}
      >
        {emails.map((email) => (
          <li key={email}>
            <PersonLine email={email} user={find(email)} withRole />
          </li>
        ))}
      </Box>
      {hasNextPage && userCount > emails.length && (
        <Button size="small" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {text('people.showMore', { count: Math.min(PAGE, userCount - emails.length) })}
        </Button>
      )}
    </>
  )
}

function GroupDetail({ record: group }: { record: GroupSummary }) {
  const text = useText()
  const { nameOf } = usePeople()
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
      {group.description && (
        <Box sx={{ maxWidth: 720 }}>
          <PlainText text={group.description} />
        </Box>
      )}
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 4,
          rowGap: 1,
          '& dt': { fontSize: '0.8125rem', color: 'text.secondary' },
          '& dd': { m: 0 },
        }}
      >
        <div>
          <dt>{text('groups.createdBy')}</dt>
          <dd dir="auto">{nameOf(group.createdBy)}</dd>
        </div>
        <div>
          <dt>{text('groups.updated')}</dt>
          <dd>
            <Time at={group.updateTimestamp} />
          </dd>
        </div>
      </Box>
      <Box component="section">
        <Typography variant="h3" sx={{ mb: 1 }}>
          {text('groups.members', { smart_count: group.userCount })}
        </Typography>
        {group.isOrdered && <Box sx={{ mb: 1, color: 'text.secondary' }}>{text('groups.inOrder')}</Box>}
        <Members group={group} />
      </Box>
    </Box>
  )
}

function GroupInputs({ inputs: { BooleanInput, TextInput } }: InputsOf<typeof groupsApi>) {
  const isOrdered = useWatch({ name: 'isOrdered' }) === true
  return (
    <>
      <TextInput source="name" label="groups.name" required autoFocus />
      <TextInput source="description" label="groups.description" lines={3} />
      <BooleanInput source="isOrdered" label="groups.isOrdered" help="groups.isOrderedHelp" />
      <PeopleInput source="userIds" label="groups.members" empty="groups.noMembers" isOrdered={isOrdered} />
    </>
  )
}

/** Groups (administration §2.1). */
export const groups = defineResource({
  layout: 'side list',
  title: 'groups.title',
  api: groupsApi,
  line: ({ userCount }, text) => text('groups.count', { smart_count: userCount }),
  detail: GroupDetail,
  columns: [
    { field: 'name', label: 'groups.name' },
    { field: 'description', label: 'groups.description' },
    { field: 'userIds', label: 'groups.memberEmails', text: ({ userIds = [] }) => userIds.join(', ') },
    { field: 'isOrdered', label: 'groups.isOrdered' },
    { field: 'createdBy', label: 'groups.createdBy' },
    { field: 'updateTimestamp', label: 'groups.updated' },
  ],
  sort: ['name', 'ASC'],
  search: 'groups.search',
  empty: 'groups.empty',
  inputs: GroupInputs,
  create: {
    label: 'groups.create',
    blank: { name: '', description: null, userIds: [], isOrdered: false },
    done: 'groups.createdToast',
  },
  edit: {
    label: 'groups.edit',
    values: ({ name, description, userIds = [], isOrdered, version }) => ({
      name,
      description,
      userIds,
      isOrdered,
      version,
    }),
    done: 'groups.updatedToast',
  },
  actions: [
    {
      call: 'remove',
      label: 'groups.remove',
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: 'groups.removeTitle', text: 'groups.removeText' },
      done: 'groups.removed',
      failed: 'groups.notRemoved',
      undo: 'restore',
    },
  ],
})
