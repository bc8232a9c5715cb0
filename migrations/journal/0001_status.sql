ALTER TABLE `journal_handoffs` ADD `status` text DEFAULT 'completed' NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_outbox` DROP COLUMN `body`;--> statement-breakpoint
UPDATE `journal_handoffs` SET `status` = CASE
	WHEN json_valid(`body`) THEN json_extract(`body`, '$.status')
	WHEN instr(`body`, '"status":"committing"') > 0 THEN 'committing'
	ELSE 'completed'
END;
