import type { QueryResultRow } from 'pg'

/** Builds a floor's response from the rows of each statement, without validation. */
type Shaper = (results: readonly QueryResultRow[][]) => unknown
export type Shape = 'users' | 'detail'

const user = (row: QueryResultRow) => ({
  uuid: row['id'],
  firstName: row['first_name'],
  lastName: row['last_name'],
  email: row['email'],
  phoneNumber: row['phone_number'],
  role: row['role'],
  type: row['type'],
  active: row['active'],
  banned: row['banned'],
  dashboard_user: row['dashboard_user'],
  profileImageUrl: row['profile_image_url'],
  location: row['location'],
  department: row['department'],
  lastLoginTimestamp: row['last_login_timestamp'],
  hasPasswordSet: row['has_password'],
  passwordChangeRequired: row['password_change_required'],
  wasSentActivationEmail: row['was_sent_activation_email'],
  createTimestamp: row['create_timestamp'],
  version: row['version'],
})

const named = (row: QueryResultRow) => ({
  uuid: row['id'],
  email: row['email'],
  firstName: row['first_name'],
  lastName: row['last_name'],
  department: row['department'],
  role: row['role'],
  type: row['type'],
  active: row['active'],
  profileImageUrl: row['profile_image_url'],
})

const MINUTES: { readonly [unit: string]: number } = { MINUTES: 1, HOURS: 60, DAYS: 1_440 }

interface Counts {
  readonly tasks: number
  readonly complete: number
  readonly updates: number
  readonly checkIns: number
  readonly mustCheckIn: boolean
}
const summary = (row: QueryResultRow, counts: Counts) => ({
  id: row['id'],
  number: row['number'],
  title: row['title'],
  previewText: row['preview_text'],
  createTimestamp: row['create_timestamp'],
  createdBy: row['created_by'],
  isActive: row['is_active'],
  severity: row['severity'],
  isTabletop: row['is_tabletop'],
  type: row['is_tabletop'] ? 'exercise' : 'incident',
  estimatedTimeToRecovery: row['estimated_time_to_recovery'],
  estimatedTimeToRecoveryTimeUnit: row['estimated_time_to_recovery_time_unit'],
  estimatedTimeToRecoveryInMinutes:
    row['estimated_time_to_recovery'] === null
      ? null
      : row['estimated_time_to_recovery'] * MINUTES[row['estimated_time_to_recovery_time_unit']]!,
  isTargeted: row['is_targeted'],
  resolvedBy: row['resolved_by'],
  resolveTimestamp: row['resolve_timestamp'],
  openTasks: row['open_tasks'],
  openTasksReason: row['open_tasks_reason'],
  outcome: row['outcome'],
  outcomeReason: row['outcome_reason'],
  mergedIntoId: row['merged_into_id'],
  hasIncompleteTasks: counts.tasks > counts.complete,
  shouldCurrentUserCheckIn: counts.mustCheckIn,
  tasksCount: counts.tasks,
  completeTasksCount: counts.complete,
  updatesCount: counts.updates,
  checkInsCount: counts.checkIns,
  attachmentsFolderId: row['id'],
  breakoutRoomId: row['breakout_room_id'],
  version: row['version'],
  fullText: row['full_text'],
  postmortemDetails: row['postmortem_details'],
})

/** File ids by activity. */
type Carried = ReadonlyMap<string, string[]>
function carriedBy(files: readonly QueryResultRow[]): Carried {
  const carried = new Map<string, string[]>()
  for (const file of files)
    for (const carrier of file['carriers'] as string[])
      carried.set(carrier, [...(carried.get(carrier) ?? []), file['id'] as string])
  return carried
}

/** An administrator may change everything while the incident is active. */
const common = (row: QueryResultRow, isActive: boolean, carried: Carried) => ({
  id: row['id'],
  incidentId: row['incident_id'],
  description: row['description'],
  createdBy: row['created_by'],
  createTimestamp: row['create_timestamp'],
  updateTimestamp: row['update_timestamp'],
  attachedFileIds: carried.get(row['id']) ?? [],
  canEdit: isActive,
  canDelete: isActive,
  version: row['version'],
  parentActivityId: row['parent_activity_id'],
})

function detail(
  row: QueryResultRow,
  activities: readonly QueryResultRow[],
  files: readonly QueryResultRow[],
  people: readonly QueryResultRow[],
) {
  const carried = carriedBy(files)
  const below = Map.groupBy(activities, (activity) => activity['parent_activity_id'] as string | null)
  const isActive = row['is_active'] as boolean
  const tasks = activities.filter((activity) => activity['type'] === 'TASK')
  return {
    ...summary(row, {
      tasks: tasks.length,
      complete: tasks.filter((task) => task['progress'] === 100).length,
      updates: activities.length - tasks.length,
      checkIns: row['check_ins'].length,
      mustCheckIn: isActive && !row['is_targeted'] && row['check_ins'].length === 0,
    }),
    activities: (below.get(null) ?? []).map((activity) => ({
      ...common(activity, isActive, carried),
      type: activity['type'],
      title: activity['title'],
      status: activity['status'],
      priority: activity['priority'],
      progress: activity['progress'],
      assignedTo: activity['assigned_to'] && {
        uuid: activity['assigned_to'],
        firstName: activity['first_name'],
        lastName: activity['last_name'],
        email: activity['email'],
        active: activity['active'],
      },
      idealTitleToExecute: activity['ideal_title_to_execute'],
      expectedTimeToComplete: activity['expected_time_to_complete'],
      section: activity['section'],
      message: activity['message_id'] && { id: activity['message_id'] },
      childActivities: (below.get(activity['id'] as string) ?? []).map((child) =>
        common(child, isActive, carried),
      ),
    })),
    // The incident has no room.
    breakoutRoomAccess: 'NONE',
    checkIns: row['check_ins'].map((one: QueryResultRow) => ({
      userId: one['user_id'],
      timestamp: one['timestamp'],
    })),
    targetedUsers: row['targets']
      .filter((target: QueryResultRow) => target['named'])
      .map((target: QueryResultRow) => target['email']),
    targetedGroups: row['groups'],
    attachments: files.map((file) => ({ id: file['id'], name: file['name'], extension: file['extension'] })),
    people: people.map(named),
  }
}

/** Responses of the floors, equal to the product's; a different one is refused. */
export const SHAPES: { readonly [S in Shape]: Shaper } = {
  users: (results) => results.at(-1)!.map(user),
  detail: (results) => {
    const last = (column: string) => results.findLast((rows) => rows.length > 0 && column in rows[0]!) ?? []
    return detail(
      last('check_ins')[0]!,
      last('ideal_title_to_execute'),
      last('carriers'),
      last('profile_image_url'),
    )
  },
}
