/** Texts of notification templates, and of what they share with sending (administration §2.1, §5, §8). */
export const notificationTemplates = {
  remaining: '%{count} characters remaining',
}
