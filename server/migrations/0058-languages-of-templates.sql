-- Language in which a template is spoken, and of our words around it; null for the organisation's.
alter table notification_templates add column language text;
