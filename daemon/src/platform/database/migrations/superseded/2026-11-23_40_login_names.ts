export const loginNames = {
  name: '2026-11-23_40_login_names',
  sql: `
-- The form in which an email is looked up is computed by the service: the database knows neither Unicode's compatibility
-- forms nor the two spellings of a domain. Until now it was lower(email).
alter table developer add column login_name text;
update developer set login_name = lower(email);
alter table developer alter column login_name set not null;
drop index developer_email_key;
create unique index developer_login_name_key on developer (login_name);

alter table developer_invitation add column login_name text;
update developer_invitation set login_name = lower(email);
alter table developer_invitation alter column login_name set not null;
drop index developer_invitation_email;
create index developer_invitation_login_name on developer_invitation (login_name) where status = 'pending';`,
};
