/** A statement of a floor, with its parameters. */
export interface Statement {
  readonly text: string
  readonly values: readonly string[]
}

/** Parameters of a call: session, organisation, person and incident. */
export interface CallSubject {
  readonly sessionId: string
  readonly organisationId: string
  readonly userId: string
  readonly incidentId: string
}

const statement = (text: string, ...values: string[]): Statement => ({ text, values })

/** The proof of the session, which every call needs. */
const proven = ({ sessionId, organisationId }: CallSubject): Statement =>
  statement(
    `select u.id as user_id, u.role, u.type, o.code, o.config
     from sessions s join users u on u.id = s.user_id join organisations o on o.id = s.organisation_id
     where s.id = $1 and s.organisation_id = $2 and s.ended_timestamp is null and u.active and not u.banned`,
    sessionId,
    organisationId,
  )

const USER_COLUMNS = `id, email, first_name, last_name, phone_number, location, department, role, type, active, banned,
  dashboard_user, profile_image_url, was_sent_activation_email, last_login_timestamp, create_timestamp, version,
  password_hash is not null as has_password, password_change_since is not null as password_change_required`
const INCIDENT_COLUMNS = `i.id, i.title, i.full_text, i.preview_text, i.severity, i.is_tabletop, i.is_active, i.is_targeted,
  i.estimated_time_to_recovery, i.estimated_time_to_recovery_time_unit, i.created_by, i.create_timestamp, i.resolved_by, i.resolve_timestamp,
  i.postmortem_details, i.breakout_room_id, i.version`

/**
 * The best handwritten SQL for the work: without row-level security, transaction or role, with the organisation as a
 * parameter, and only the columns of the response. The product's own statements would hide their waste.
 */
export const BEST = {
  users: (asked: CallSubject): Statement[] => [
    proven(asked),
    statement(
      `select ${USER_COLUMNS},
         (select count(*) from users where organisation_id = $1 and active and role = 'USER') as total
       from users where organisation_id = $1 and active and role = 'USER' order by family_key, id limit 50`,
      asked.organisationId,
    ),
  ],
  detail: (asked: CallSubject): Statement[] => [
    proven(asked),
    statement(
      `select ${INCIDENT_COLUMNS},
         coalesce((select jsonb_agg(jsonb_build_object('email', u.email, 'named', true) order by u.email)
           from incident_target_users t join users u on u.id = t.user_id where t.incident_id = i.id), '[]') as targets,
         coalesce((select jsonb_agg(jsonb_build_object('user_id', c.user_id,
             'timestamp', to_char(c.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
             order by c.timestamp, u.email)
           from check_ins c join users u on u.id = c.user_id where c.incident_id = i.id), '[]') as check_ins,
         '[]'::jsonb as groups
       from incidents i where i.organisation_id = $1 and i.id = $2`,
      asked.organisationId,
      asked.incidentId,
    ),
    statement(
      `select a.id, a.incident_id, a.parent_activity_id, a.type, a.title, a.description, a.status, a.priority, a.progress,
         a.assigned_to, a.ideal_title_to_execute, a.expected_time_to_complete, a.section, a.message_id, a.created_by, a.create_timestamp, a.update_timestamp,
         a.version, u.email, u.first_name, u.last_name, u.active
       from activities a left join users u on u.id = a.assigned_to
       where a.organisation_id = $1 and a.incident_id = $2 order by a.position`,
      asked.organisationId,
      asked.incidentId,
    ),
    statement(
      `select f.id, f.name, f.extension,
         array(select c.activity_id from activity_attachments c where c.attachment_id = f.id) as carriers
       from attachments f where f.organisation_id = $1 and f.incident_id = $2 order by f.position`,
      asked.organisationId,
      asked.incidentId,
    ),
    statement(
      `select id, email, first_name, last_name, department, role, type, active, profile_image_url from users
       where organisation_id = $1 and email = any(array(
         select unnest(array[created_by, resolved_by]) from incidents where id = $2
         union all select created_by from activities where incident_id = $2
         union all select u.email from activities a join users u on u.id = a.assigned_to where a.incident_id = $2
         union all select u.email from incident_target_users t join users u on u.id = t.user_id where t.incident_id = $2))`,
      asked.organisationId,
      asked.incidentId,
    ),
  ],
} as const
