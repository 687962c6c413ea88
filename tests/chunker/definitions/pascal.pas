unit Cart;
interface
uses SysUtils;
const
  Limit = 9;
  Name: string = 'x';
type
  TState = (stOpen, stClosed);
  TId = Integer;
  { A cart. }
  TCart = class(TObject)
  private
    FTotal: Integer;
  public
    const Max = 3;
    constructor Create(A: Integer);
    destructor Destroy; override;
    procedure Add(L: TLine); virtual;
    function Total(Tax: Integer): Integer;
    class function Make: TCart; static;
    property Sum: Integer read FTotal write FTotal;
  end;
  TLine = record
    Price: Double;
  end;
  IStore = interface
    ['{GUID}']
    procedure Load;
  end;
  TEvent = procedure(Sender: TObject) of object;
  TGen<T> = class
    procedure X;
  end;
var
  Counter: Integer;
function Free(A: Integer): Integer;
implementation
{ All lines. }
constructor TCart.Create(A: Integer);
begin
end;
function TCart.Total(Tax: Integer): Integer;
var I: Integer;
  procedure Inner;
  begin
  end;
begin
  Result := 1;
end;
procedure TGen<T>.X;
begin
end;
function Free(A: Integer): Integer;
begin
  Result := A;
end;
procedure Win; stdcall; external 'a.dll';
operator + (a, b: TLine): TLine;
begin
end;
initialization
end.
