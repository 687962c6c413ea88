"""Definitions in SQL of dialects that the grammar cannot read."""

from __future__ import annotations

import pytest

from chunker.api import chunk_file
from tests.clock import within

T_SQL = """\
IF OBJECT_ID('[dbo].[Carts]') IS NULL
BEGIN
    CREATE TABLE [dbo].[Carts] (
        [Id] INT
    )
END
GO

-- Reads one.
-- With its lines.
CREATE OR ALTER PROCEDURE [dbo].[Cart_Read]
    @Id UNIQUEIDENTIFIER,
    @Type TINYINT
AS
BEGIN
    CREATE TABLE #lines (Id INT);

    SELECT * FROM [dbo].[Carts] WHERE [Id] = @Id
END
GO

ALTER VIEW [dbo].[OpenCarts]
AS
SELECT * FROM [dbo].[Carts]
CREATE PROC dbo.Cart_Count @Id INT AS SELECT 1
"""
MYSQL = """\
CREATE TABLE `carts` (
  `id` INT, `end` DATETIME
) ENGINE=InnoDB;
INSERT INTO carts VALUES (1, 'it''s; fine');

DELIMITER $$
/* Adds one
 * item. */
CREATE DEFINER=`root`@`%` PROCEDURE add_item(IN id INT)
BEGIN
  CREATE TEMPORARY TABLE t (a INT);
  IF id THEN SELECT 1; END IF;
END$$

CREATE TRIGGER added AFTER INSERT ON carts FOR EACH ROW
BEGIN
  SELECT 2;
END$$
DELIMITER ;
GRANT ALL ON carts TO x;
"""
POSTGRES = """\
create or replace procedure shop.pay(a int) language plpgsql as $body$
begin
  create table lines (a int);
end;
$body$;
create index on carts (id);
/*
create table gone (id int);
*/
CREATE FUNCTION total() RETURNS int
LANGUAGE SQL
BEGIN ATOMIC
  SELECT 1;
END;
CREATE TABLE last (id int) WITHOUT ROWID
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            T_SQL,
            [
                "struct Carts 3-5",
                "function Cart_Read 9-19",
                "struct OpenCarts 22-24",
                "function Cart_Count 25-25",
            ],
        ),
        (MYSQL, ["struct carts 1-3", "function add_item 7-13", "function added 15-18"]),
        (POSTGRES, ["function pay 1-5", "function total 7-14", "struct last 15-15"]),
    ],
)
def test_statements_define_until_they_end(text: str, expected: list[str]) -> None:
    file = chunk_file(text.encode(), "shop.sql")
    assert [f"{one.kind} {one.name} {one.start_line}-{one.end_line}" for one in file.definitions] == expected


DBT = """\
{#
A column for each value.
#}
{% macro pivot(column,
               values) %}
  {{ return(adapter.dispatch('pivot', 'shop')(column, values)) }}
{% endmacro %}

{%- macro default__pivot(column, values) -%}
create table lines (id int);
{% endmacro %}

{% test is_paid(model) %}
select * from {{ model }} where {# {% macro not_this() %} #} not paid
{% endtest %}

create view open_carts as
select 1;

{% macro unclosed() %}
"""


def test_macros_and_tests_of_dbt_are_functions() -> None:
    file = chunk_file(DBT.encode(), "macros/pivot.sql")
    assert [(one.qualified, one.kind, one.start_line, one.end_line) for one in file.definitions] == [
        ("pivot", "function", 1, 7),
        ("default__pivot", "function", 9, 11),
        ("is_paid", "function", 13, 15),
        ("open_carts", "struct", 17, 18),
        ("unclosed", "function", 20, 20),
    ]


STATEMENTS = "".join(f"create table t{number} (a int;\n" for number in range(3000))


@pytest.mark.parametrize(
    "text",
    [
        *(
            piece * 20_000
            for piece in (
                "as $a$ ",
                "/*",
                "{#",
                "{% macro a ",
                "create procedure a\n",
                "create or alter  ",
                "create proc a\n end",
            )
        ),
        f"{STATEMENTS}go{' ' * 100_000}x\n",
        STATEMENTS + "/**/ " * 200_000,
    ],
    ids=lambda text: text[-12:],
)
def test_garbage_takes_no_time(text: str) -> None:
    with within(15):
        chunk_file(text.encode(), "shop.sql")
