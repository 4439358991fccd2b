/** Texts of the in-app notifications. */
export const notifications = {
  title: 'Notifications',
  button: 'Notifications',
  buttonUnread: 'Notifications, %{smart_count} unread',
  unread: 'Unread',
  readAll: 'Mark all as read',
  empty:
    'Tasks that are assigned to you, incidents that need you, messages that mention you and playbooks that you should review show up here.',
  fetchFailed: 'Something went wrong fetching notifications.',
  readFailed: 'Something went wrong reading notification',
}
