-- The protected scope that confirmation_reason names: whoever may not see its environment reads another sentence.
alter table plans add column confirmation_place text collate "C";

update plans set confirmation_place =
  substring(confirmation_reason from '^(?:The scope|It may reach) ([^ ,]+),? (?:which )?is protected');
