/**
 * How texts are compared when people search for a user: in lower case and without accents. What does not fall apart into
 * a letter and an accent is replaced by what people type for it.
 */
export const userSearch = {
  name: '2026-11-22_65_user_search',
  sql: String.raw`
create function search_form(text) returns text language sql immutable strict parallel safe as $$
  select translate(
    replace(replace(replace(
      regexp_replace(normalize(lower($1), nfd), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    'łøđħı', 'lodhi')
$$;

-- An email and a name never run into each other: no word that is searched for has a line break in it.
alter table health_user add column search_text text generated always as (
  search_form(coalesce(email, '') || E'\n' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || E'\n' ||
    coalesce(external_user_id, ''))
) stored;
`,
};
