import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { groupsApi } from '#contract/groups/api.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { creatableKinds } from '#contract/incidents/rules.ts'
import {
  type Activity,
  type ActivityChanges,
  type ChildActivity,
  type Incident,
  type TargetingIncident,
} from '#contract/incidents/schema.ts'
import type { Endpoint, Request } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { live, useFallbackInterval } from '#providers/live.ts'
import { learning } from '#providers/people.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { type FeedFilter, incidentFeed, POLL_INCIDENTS } from './incidentFeed.ts'
import { useConfig } from '#src/config/useConfig.ts'

// Seconds between polls while the live socket is down (operations §4, §9).
const POLL_ACTIVE = 10
const POLL_RESOLVED = 300
/** Milliseconds between polls: no live event tells of people's activity, so the team status is always polled. */
const POLL_TEAM = { active: 60_000, resolved: 300_000 }
/** Rows of the team status shown at first, and added by "more". */
const TEAM_FIRST = 20
const TEAM_MORE = 50

const LISTS: QueryKey = ['incidents', 'list']
const keyOf = (id: string): QueryKey => ['incidents', id]
const targetingKeyOf = (id: string): QueryKey => [...keyOf(id), 'targeting']
const teamKeyOf = (id: string): QueryKey => ['team-status', id]

/** Omits the parts of an incident that grow with the organisation. */
const UNPOPULATED = {
  populateCheckIns: 'false',
  populateTargetedUsers: 'false',
  populateGroupMembers: 'false',
} as const
/** Adds the names of the targets, for the form. */
const TARGETING = { ...UNPOPULATED, populateTargetedUsers: 'true' } as const

/** Refetches changed data, unless the open socket tells of it. */
async function refresh(client: QueryClient, ...keys: readonly QueryKey[]): Promise<void> {
  if (live.status() === 'open') return
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** The organisation's groups; not requested without the permission to choose them. */
export function useGroups() {
  const can = useCan()
  const enabled = can(groupsApi.options.access)
  return useQuery({
    queryKey: ['groups', 'options'],
    queryFn: ({ signal }) => call(groupsApi.options, { query: { withMembers: 'false' }, signal }),
    staleTime: 60_000,
    enabled,
  })
}

/** The pages of the feed, active incidents first. */
export function useIncidentFeed(filter: FeedFilter) {
  const interval = useFallbackInterval(POLL_INCIDENTS)
  return useInfiniteQuery({
    ...incidentFeed(filter),
    placeholderData: keepPreviousData,
    // The shell polls the unfiltered feed.
    refetchInterval: Object.values(filter).some(Boolean) && interval,
  })
}

/** Polling interval of an incident while the socket is down. */
function useIncidentInterval() {
  const whileActive = useFallbackInterval(POLL_ACTIVE)
  const whenResolved = useFallbackInterval(POLL_RESOLVED)
  return ({ state }: { readonly state: { readonly data: Incident | undefined } }) =>
    state.data?.isActive === false ? whenResolved : whileActive
}

/** One incident with activities and files, for its page. */
export function useIncident(id: string, enabled = true) {
  const refetchInterval = useIncidentInterval()
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => learning(call(incidentsApi.get, { params: { id }, query: UNPOPULATED, signal })),
    refetchInterval,
    enabled,
  })
}

/** One incident with the names of its targets, for its form. */
export function useTargetingIncident(id: string, enabled = true) {
  const refetchInterval = useIncidentInterval()
  return useQuery({
    queryKey: targetingKeyOf(id),
    queryFn: async ({ signal }): Promise<TargetingIncident> => {
      const incident = await learning(call(incidentsApi.get, { params: { id }, query: TARGETING, signal }))
      return { ...incident, targetedUsers: incident.targetedUsers ?? [] }
    },
    refetchInterval,
    enabled,
  })
}

/** The shown part of the team status. People who check in move up, and are listed once. */
export function useTeamStatus({ id, isActive, checkInsCount, version }: Incident, onlyWaiting: boolean) {
  const client = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: [...teamKeyOf(id), { onlyWaiting, isActive }],
    queryFn: ({ pageParam: offset, signal }) => {
      const size = offset === 0 ? TEAM_FIRST : TEAM_MORE
      const range = { offset, size, onlyWaiting: `${onlyWaiting}`, waitingFirst: `${isActive}` } as const
      return call(incidentsApi.teamStatus, { params: { id }, query: range, signal })
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((count, { data }) => count + data.length, 0)
      return loaded < (onlyWaiting ? last.waitingCount : last.total) ? loaded : undefined
    },
    placeholderData: keepPreviousData,
    refetchInterval: isActive ? POLL_TEAM.active : POLL_TEAM.resolved,
  })
  // While the socket is down, check-ins and changed targets are seen only on the incident.
  const known = useRef({ checkInsCount, version })
  useEffect(() => {
    if (known.current.checkInsCount === checkInsCount && known.current.version === version) return
    known.current = { checkInsCount, version }
    void refresh(client, teamKeyOf(id))
  }, [client, id, checkInsCount, version])
  const { data } = query
  const members = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.data) ?? []
    // Until the missing people have loaded, they are filtered from everybody.
    const shown = onlyWaiting ? all.filter(({ checkInTimestamp }) => checkInTimestamp === null) : all
    return [...new Map(shown.map((member) => [member.id, member])).values()]
  }, [data, onlyWaiting])
  const last = data?.pages.at(-1)
  const rest = last ? (onlyWaiting ? last.waitingCount : last.total) - members.length : 0
  return { ...query, counts: last, members, nextCount: query.hasNextPage ? Math.min(TEAM_MORE, rest) : 0 }
}

/** Limit of tasks and updates per incident. Unlimited until known; the server enforces it. */
export const useActivityCap = (): number => useConfig()?.maxActivitiesPerIncident ?? Number.POSITIVE_INFINITY

export type Kinds = ReturnType<typeof creatableKinds>

/** Kinds that may be created now; undefined until the server has answered since the page was opened. */
export function useCreatableKinds(): Kinds | undefined {
  const { organisation } = useSession()
  const can = useCan()
  const enabled = can(dashboardApi.get.access)
  const { data, isFetchedAfterMount } = useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => call(dashboardApi.get, { signal }),
    refetchOnMount: 'always',
    enabled,
  })
  if (enabled && !isFetchedAfterMount) return undefined
  const { incidentsCount: incidents = 0, exercisesCount: exercises = 0 } = data ?? {}
  return creatableKinds({ incidents, exercises }, organisation?.config.multiIncident ?? false)
}

type Body<E extends Endpoint> = NonNullable<Request<E>['body']>
export type IncidentBody = Body<typeof incidentsApi.create>
export type ActivityBody = Body<typeof incidentsApi.addActivity>

/** Creates an incident with its first tasks. */
export function useCreateIncident() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: IncidentBody) =>
      learning(
        body.activityCreateRequests?.length
          ? call(incidentsApi.createWithActivities, { query: UNPOPULATED, body })
          : call(incidentsApi.create, { query: UNPOPULATED, body }),
      ),
    onSuccess: (incident) => {
      client.setQueryData(keyOf(incident.id), incident)
      void refresh(client, LISTS, ['dashboard'])
    },
  })
}

/** Changes fields of an incident; `isActive: false` resolves it. */
export function useUpdateIncident(id: string) {
  const take = useTakeIncident(id)
  return useMutation({
    mutationFn: (body: Body<typeof incidentsApi.update>) =>
      learning(call(incidentsApi.update, { params: { id }, query: UNPOPULATED, body })),
    onSuccess: take,
  })
}

/** Shows the answer to a change of an incident. */
export function useTakeIncident(id: string) {
  const client = useQueryClient()
  return async (incident: Incident) => {
    await client.cancelQueries({ queryKey: keyOf(id), exact: true })
    client.setQueryData(keyOf(id), incident)
    // The form must open with the saved values.
    client.removeQueries({ queryKey: targetingKeyOf(id) })
    void refresh(client, LISTS, ['dashboard'])
  }
}

/** Saves the analysis: the incident is fetched first and sent back whole (operations §7). */
export function useSaveAnalysis(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ postmortemDetails, version }: { postmortemDetails: string; version: number }) => {
      const fresh = await call(incidentsApi.get, { params: { id }, query: UNPOPULATED })
      const body = {
        id,
        title: fresh.title,
        fullText: fresh.fullText,
        severity: fresh.severity,
        isTabletop: fresh.isTabletop,
        estimatedTimeToRecovery: fresh.estimatedTimeToRecovery,
        estimatedTimeToRecoveryTimeUnit: fresh.estimatedTimeToRecoveryTimeUnit,
        postmortemDetails,
        version,
      }
      return learning(call(incidentsApi.replace, { query: UNPOPULATED, body }))
    },
    onSuccess: (incident) => {
      client.setQueryData(keyOf(id), incident)
      void refresh(client, LISTS)
    },
  })
}

/** Checks the signed-in person in. The request disappears at once. */
export function useCheckIn(id: string) {
  const client = useQueryClient()
  const set = (change: (incident: Incident) => Incident) =>
    client.setQueryData<Incident>(keyOf(id), (incident) => incident && change(incident))
  return useMutation({
    mutationFn: () => call(incidentsApi.checkIn, { params: { id } }),
    onMutate: async () => {
      await client.cancelQueries({ queryKey: keyOf(id), exact: true })
      set((incident) => ({ ...incident, shouldCurrentUserCheckIn: false }))
    },
    onError: () => set((incident) => ({ ...incident, shouldCurrentUserCheckIn: true })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: teamKeyOf(id) })
      void refresh(client, keyOf(id), LISTS)
    },
  })
}

/** Inserts an activity into an incident: below its task, or at the top level. */
function withActivity(incident: Incident, activity: Activity | ChildActivity): Incident {
  const put = <T extends { id: string }>(list: readonly T[], one: T): T[] =>
    list.some(({ id }) => id === one.id)
      ? list.map((other) => (other.id === one.id ? one : other))
      : [...list, one]
  const activities =
    activity.parentActivityId === null
      ? put(incident.activities, activity)
      : incident.activities.map((task) =>
          task.id === activity.parentActivityId
            ? { ...task, childActivities: put(task.childActivities, activity) }
            : task,
        )
  return { ...incident, activities }
}

const withoutActivity = (incident: Incident, gone: string): Incident => ({
  ...incident,
  activities: incident.activities
    .filter(({ id }) => id !== gone)
    .map((task) =>
      task.childActivities.some(({ id }) => id === gone)
        ? { ...task, childActivities: task.childActivities.filter(({ id }) => id !== gone) }
        : task,
    ),
})

/** Applies a change of tasks and updates to the cached incident. */
function useShowChange(incidentId: string) {
  const client = useQueryClient()
  return async (change: (incident: Incident) => Incident) => {
    // Pending answers would undo the change.
    await client.cancelQueries({ queryKey: keyOf(incidentId), exact: true })
    client.setQueryData<Incident>(keyOf(incidentId), (incident) => incident && change(incident))
    void refresh(client, keyOf(incidentId), LISTS)
  }
}

/** Adds a task, an update, or an update below a task. */
export function useAddActivity(incidentId: string) {
  const show = useShowChange(incidentId)
  return useMutation({
    mutationFn: (body: ActivityBody) => call(incidentsApi.addActivity, { params: { id: incidentId }, body }),
    onSuccess: (activity) => show((incident) => withActivity(incident, activity)),
  })
}

const CHANGES = 'change-activity'
interface ActivityChange {
  readonly id: string
  readonly changes: Omit<ActivityChanges, 'incidentId'>
  /** Values shown until the server has answered. */
  readonly shown?: Partial<Activity>
}

/** Changes a task or an update. Changes of one activity are sent one after another. */
export function useChangeActivity(incidentId: string, id: string) {
  const show = useShowChange(incidentId)
  return useMutation({
    mutationKey: [CHANGES],
    scope: { id: `${CHANGES} ${id}` },
    mutationFn: ({ changes }: ActivityChange) =>
      call(incidentsApi.updateActivity, { params: { id }, body: { ...changes, incidentId } }),
    onSuccess: (activity) => show((incident) => withActivity(incident, activity)),
  })
}

interface TaskChange extends Omit<ActivityChange, 'shown'> {
  /** Read when the change is sent. */
  readonly version: () => number
}

/** Changes tasks one after another. A version that somebody else has passed is refused. */
export function useChangeTasks(incidentId: string) {
  const show = useShowChange(incidentId)
  return useMutation({
    scope: { id: `${CHANGES} of ${incidentId}` },
    mutationFn: ({ id, changes, version }: TaskChange) =>
      call(incidentsApi.updateActivity, {
        params: { id },
        body: { ...changes, incidentId, version: version() },
      }),
    onSuccess: (activity) => show((incident) => withActivity(incident, activity)),
  })
}

/** Assigns several tasks to one person or to nobody. */
export function useAssignTasks(incidentId: string) {
  const show = useShowChange(incidentId)
  return useMutation({
    mutationFn: (body: Body<typeof incidentsApi.assign>) =>
      call(incidentsApi.assign, { params: { id: incidentId }, body }),
    onSuccess: (tasks) => show((incident) => tasks.reduce(withActivity, incident)),
  })
}

/** Unanswered changes by the id of their activity. */
export function usePendingChanges(): ReadonlyMap<string, Partial<Activity>> {
  const pending = useMutationState({
    filters: { mutationKey: [CHANGES], status: 'pending' },
    select: ({ state }) => state.variables as ActivityChange,
  })
  return useMemo(() => {
    const merged = new Map<string, Partial<Activity>>()
    for (const { id, shown } of pending) if (shown) merged.set(id, { ...merged.get(id), ...shown })
    return merged
  }, [pending])
}

/** Deletes a task with its updates, or an update. */
export function useRemoveActivity(incidentId: string) {
  const show = useShowChange(incidentId)
  return useMutation({
    mutationFn: (id: string) => call(incidentsApi.removeActivity, { params: { id } }),
    onSuccess: (_, id) => show((incident) => withoutActivity(incident, id)),
  })
}

/** Changes of a task or an update, newest first. Keyed below the incident, so that its changes invalidate it. */
export function useActivityHistory(incidentId: string, id: string) {
  return useQuery({
    queryKey: [...keyOf(incidentId), 'history', id],
    queryFn: ({ signal }) => call(incidentsApi.history, { params: { id }, signal }),
  })
}
